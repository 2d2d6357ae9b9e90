"""The tokens of the page: contrast ratios as docs/design.md states them, and no color beside the tokens."""

import re

from support.paths import ROOT

TOKENS = (ROOT / "page/src/tokens.css").read_text("utf-8")
DESIGN = (ROOT / "docs/design.md").read_text("utf-8")
PAIRS = {
    "numeral on slab": ("{row}-on", "{row}"),
    "gone numeral": ("{row}-dim-on", "{row}-dim"),
    "X on punch": ("{row}-x", "punch"),
    "punch on slab": ("punch", "{row}"),
    "ink on ground": ("ink", "ground"),
    "ink on surface": ("ink", "surface"),
    "gray text on ground": ("ink-2", "ground"),
    "gray text on surface": ("ink-2", "surface"),
    "gray text on the second surface": ("ink-2", "surface-2"),
    "text on ink": ("on-ink", "ink"),
    "borders of controls on surface": ("line-strong", "surface"),
    "pips on a white die": ("die-pip", "die"),
    "text on the stage": ("on-stage", "stage"),
    "gray text on the stage": ("on-stage-2", "stage"),
    "yellow edge on ground": ("yellow-edge", "ground"),
}
"""What the tables of the docs compare: the front and the back."""
LOWEST = {"punch on slab": 3.0, "borders of controls on surface": 3.0, "yellow edge on ground": 3.0}
"""Shapes need 3:1, everything else is text and needs 4.5:1 (WCAG 1.4.3 and 1.4.11)."""


def colors(name: str) -> tuple[str, str]:
    """Return the colors of a token in light and dark mode."""
    found = re.search(rf"--{name}: (?:light-dark\()?(\S+?)(?:, (\S+?)\))?;", TOKENS)
    assert found, name
    return found[1], found[2] or found[1]


def luminance(color: str) -> float:
    """Return the relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(front: str, back: str) -> float:
    """Return the contrast ratio of two colors."""
    low, high = sorted((luminance(front), luminance(back)))
    return (high + 0.05) / (low + 0.05)


def measured(kind: str, row: str = "") -> str:
    """Return a contrast as the docs write it: in light / in dark mode; a color that is only there in light has one."""
    front, back = (colors(name.format(row=row)) for name in PAIRS[kind])
    ratios = [contrast(a, b) for a, b in zip(front, back, strict=True) if a != "transparent"]
    assert min(ratios) >= LOWEST.get(kind, 4.5), (kind, row, ratios)
    return " / ".join(f"{ratio:.1f}" for ratio in ratios)


def table(heading: str) -> list[list[str]]:
    """Return the cells of a table of docs/design.md."""
    lines = DESIGN.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_contrasts_of_rows() -> None:
    """Numerals, crosses and tiles of each row, light and dark."""
    rows = table("row")
    assert [name for name, *_ in rows] == ["red", "yellow", "green", "blue"]
    for name, *ratios in rows:
        assert ratios == [measured(kind, name) for kind in list(PAIRS)[:4]], name


def test_the_contrasts_of_texts() -> None:
    """Texts, lines, dice and the yellow edge."""
    rows = table("text and lines")
    assert rows == [[kind, measured(kind)] for kind in list(PAIRS)[4:]]


def test_every_color_is_a_token() -> None:
    """Components name no color of their own: a color beside the tokens would miss one of the two modes."""
    literal = re.compile(r"#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(", re.IGNORECASE)
    found = {}
    for path in sorted((ROOT / "page/src").rglob("*")):
        if path.suffix not in {".svelte", ".css"} or path.name == "tokens.css":
            continue
        text = path.read_text("utf-8")
        styles = text if path.suffix == ".css" else text.partition("<style>")[2]
        if hits := literal.findall(styles):
            found[path.name] = hits
    assert found == {}
