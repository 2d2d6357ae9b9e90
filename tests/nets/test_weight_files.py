"""Weight files: written, refused, and used by players."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qwixx.errors import QwixxError
from qwixx.kernel.results import RESULT
from qwixx.nets import weight_files
from qwixx.nets.feature_tables import feature_layout
from qwixx.nets.weight_files import SHIPPED, file_name, find_weights, own_path, read_weights, sheet_key, write_weights
from qwixx.players.built_in.master import MASTER, net_of
from qwixx.sim.block import Block, engine_for
from qwixx.variants import load
from qwixx.variants.layout import compile_layout
from support.games.random_nets import every_sheet, header_of, random_network, store_random_network

pytestmark = pytest.mark.usefixtures("own_data")


def test_weights_are_written_and_read_again() -> None:
    """Values are rounded to steps of a 127th of the largest in their row; rows of zeros stay zeros."""
    variant = load("classic")
    net = random_network(variant)
    net.tables[100:200] = 0
    path = own_path(variant, (2,))
    write_weights(path, header_of(variant, (2, 3), net), net)
    heading, found = read_weights(path, variant, 2)
    assert heading == header_of(variant, (2, 3), net)
    largest = np.abs(net.tables).max(axis=1, keepdims=True)
    assert np.all(np.abs(found.tables - net.tables) <= largest / 127 / 2 + 1e-7)
    assert not found.tables[100:200].any()
    assert found.layers.tobytes() == net.layers.tobytes()


def test_weights_are_small_enough_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file would get too large, the rows with the smallest weights are left out, and no more than necessary."""
    monkeypatch.setattr(weight_files, "MOST_BYTES", 30_000)
    variant = load("classic")
    net = random_network(variant)
    net.tables[:] *= np.linspace(0.1, 2, len(net.tables), dtype=np.float32)[:, None]
    path = own_path(variant, (2,))
    write_weights(path, header_of(variant, (2,), net), net)
    assert 28_000 < path.stat().st_size < 31_000
    kept = read_weights(path, variant, 2)[1].tables.any(axis=1)
    sizes = np.abs(net.tables).sum(axis=1)
    assert sizes[kept].min() > sizes[~kept].max()
    updates = np.linspace(3, 1, len(net.tables), dtype=np.float32) ** 4
    write_weights(path, header_of(variant, (2,), net), net, updates)
    kept = read_weights(path, variant, 2)[1].tables.any(axis=1)
    assert (sizes * updates)[kept].min() > (sizes * updates)[~kept].max(), "a row that was learned often matters more"


@pytest.mark.slow
def test_weights_that_do_not_fit_are_refused() -> None:
    """Another sheet, number of seats or version, damage, another file: each has an error sentence."""
    path = store_random_network("classic", 2)
    with pytest.raises(QwixxError, match="trained on another sheet than gemixxt-b"):
        read_weights(path, load("gemixxt-b"))
    with pytest.raises(QwixxError, match="are for 2 seats, not 3"):
        read_weights(path, load("classic"), 3)
    with pytest.raises(QwixxError, match="are for 2, 3 seats, not 5"):
        read_weights(store_random_network("classic", 2, 3), load("classic"), 5)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(QwixxError, match="are damaged"):
        read_weights(path, load("classic"))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(QwixxError, match="are damaged"):
        read_weights(path, load("classic"))
    path.write_bytes(whole.replace(b'"format": 1', b'"format": 9'))
    with pytest.raises(QwixxError, match="another version"):
        read_weights(path, load("classic"))
    for old, new in ((b'"seats": [2]', b'"seats": 2'), (b'"rows"', b'"lines"')):
        line, content = whole.split(b"\n", 1)
        facts = json.loads(line.replace(old, new))
        facts["checksum"] = weight_files._checksum(facts, content)
        path.write_bytes(json.dumps(facts).encode() + b"\n" + content)
        with pytest.raises(QwixxError, match="another version"):
            read_weights(path, load("classic"))
    for nonsense in (b"", b"hello\n", b"[]\n", b"\xff\xfe\n"):
        path.write_bytes(nonsense)
        with pytest.raises(QwixxError, match="holds no weights"):
            read_weights(path, load("classic"))


@pytest.mark.slow
def test_training_starts_with_weights_of_another_game() -> None:
    """Training with jokers may start with weights without; new tables start at zero. Others are refused."""
    path = store_random_network("cards", 2)
    heading, net = read_weights(path, load("cards-joker"), to_begin=True)
    assert heading.variant == "cards"
    assert len(net.tables) == feature_layout(compile_layout(load("cards-joker")))["rows"][0] > heading.rows
    assert not net.tables[heading.rows :].any()
    assert (net.tables[: heading.rows] == read_weights(path, load("cards"))[1].tables).all()
    with pytest.raises(QwixxError, match="trained on another sheet than cards-joker"):
        read_weights(path, load("cards-joker"))
    with pytest.raises(QwixxError, match="trained on another sheet than classic"):
        read_weights(path, load("classic"), to_begin=True)


@pytest.mark.slow
def test_weights_with_fewer_inputs_are_of_another_version() -> None:
    """With the same sheet and larger tables, the error says that the version differs."""
    variant = load("cards")
    net = random_network(variant)
    path = own_path(variant, (2,))
    fewer = net._replace(tables=net.tables[:-10])
    write_weights(path, header_of(variant, (2,), fewer), fewer)
    with pytest.raises(QwixxError, match="another version of this program"):
        read_weights(path, variant)


@pytest.mark.slow
def test_longo_with_other_lucky_numbers_has_the_same_weights() -> None:
    """Lucky numbers can be set by hand (L5): the network is that of the sheet."""
    store_random_network("longo", 2)
    block = Block(load("longo"), ("master", "gap"), True, 1, 0, 2, lucky=(3, 9))
    results = np.zeros(2, RESULT)
    engine_for(block)(np.uint64(1), 0, results)
    assert results["turns"].all()


@pytest.mark.slow
def test_the_player_finds_its_weights() -> None:
    """Custom weights are found; a card game with one seat does not exist, and the duel has no net for one."""
    assert not MASTER.plays(load("cards"), 1)
    assert MASTER.plays(load("longo"), 5) == (find_weights(load("longo"), 5) is not None)
    store_random_network("longo", 5)
    assert MASTER.plays(load("longo"), 5)
    with pytest.raises(QwixxError, match="played with 2 seats, not 1"):
        net_of(load("duel"), 1)


@pytest.mark.slow
def test_weights_of_the_package() -> None:
    """Every shipped file can be read and belongs to a game; together they are small (the wheel has 20 MB)."""
    known = {path.name: variant for variant in every_sheet() for path in SHIPPED.glob(f"*-{sheet_key(variant)}.net")}
    files = sorted(SHIPPED.glob("*.net"))
    assert files
    assert sum(file.stat().st_size for file in files) < 17_700_000
    for file in files:
        variant = known[file.name]
        heading, _ = read_weights(file, variant)
        assert file.name == file_name(variant, heading.seats)
        assert heading.made_by.startswith(f"qwixx train {variant.id} --seats {','.join(map(str, heading.seats))}")
        assert all(MASTER.plays(variant, seats) for seats in heading.seats)
