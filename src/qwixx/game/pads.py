"""The pads of the seats as a caller gives them: lucky numbers (L5), or pads with different marks (FR8)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from qwixx.errors import QwixxError
from qwixx.text.arguments import describe_value, require_text
from qwixx.text.notation import read_lucky
from qwixx.variants.model import Pad, Variant

BY_LOT = "lot"
"""Instead of the pads of the seats: by lot, no pad twice."""


def lucky_pads(variant: Variant, seats: int, lucky: Sequence[str]) -> list[Pad]:
    """Return the lucky numbers of each seat (L5)."""
    wanted = f"Lucky numbers are a pair for each of the {seats} seats, such as '6/11'"
    if isinstance(lucky, str) or not isinstance(lucky, Sequence):
        raise QwixxError(f"{wanted}, not {describe_value(lucky)}.")
    pairs = [read_lucky(variant, require_text(each, wanted)) for each in lucky]
    if len(pairs) != seats:
        raise QwixxError(f"{wanted}.")
    return pairs


def pads_of(variant: Variant, seats: int, pads: Sequence[str], luck: int) -> list[int]:
    """Return the number of each seat's pad, given by hand, perhaps twice the same, or by lot (FR8)."""
    known = variant.pads
    variant.check_has_pads()
    if pads == BY_LOT:
        pads = Random(luck).sample(known, seats)  # noqa: S311 - for play, not for secrets
    if not isinstance(pads, Sequence) or len(pads) != seats or not all(pad in known for pad in pads):
        wanted = f"Pads are one of {', '.join(known)} for each of the {seats} seats, or {BY_LOT!r}"
        example = "".join(known[:seats])
        raise QwixxError(
            f"{wanted}, not {describe_value(pads)}.",
            "pads",
            pads=", ".join(known),
            n=seats,
            example=example,
            lot=BY_LOT,
        )
    return [known.index(pad) for pad in pads]
