"""
MkDocs hooks for the docs site.

Pages outside docs/ are included, not copied, and their links work in both places. The reference lists the names that
each public module exports. The sheets, points and examples that rule pages only name are drawn.
"""

from __future__ import annotations

import ast
import posixpath
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from qwixx.game.game import Game
from qwixx.render.svg import excerpt_svg
from qwixx.rulebook import Fence, rules_page, segments
from qwixx.rulebook.examples import example, fences
from qwixx.variants import load, names

ROOT = Path(__file__).parents[2]
BORROWED = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "LICENSE": "license.md",
    "SECURITY.md": "reporting.md",
    "bench/abuse.md": "bench/abuse.md",
    "bench/results.md": "bench/results.md",
    "bench/rl.md": "bench/rl.md",
}
"""Pages outside docs/: their path in the repository and their path on the site."""
RULES = "src/qwixx/rulebook/pages/en"
SHEETS = ROOT / "examples" / "sheets"
"""Games that have a rule page, but are not in the package yet."""
REFERENCE = {
    "qwixx": "Game and all names",
    "qwixx.game.events": "Events",
    "qwixx.game.view": "Views",
    "qwixx.errors": "Errors",
    "qwixx.variants": "Sheets",
    "qwixx.players": "Bots",
    "qwixx.coach.advice": "Advice",
    "qwixx.coach": "Hints and reviews",
    "qwixx.puzzles": "Puzzles",
    "qwixx.fair": "Verifiable dice",
    "qwixx.sim": "Simulations",
    "qwixx.sim.ladder": "Ladders",
    "qwixx.nets.training.run": "Training",
    "qwixx.solver": "Exact solitaire",
    "qwixx.rl.spaces": "Environments: observations and actions",
    "qwixx.rl.batch": "Environments: many games at once",
    "qwixx.rl.gymnasium": "Environments: Gymnasium",
    "qwixx.rl.pettingzoo": "Environments: PettingZoo",
    "qwixx.rl.parallel": "Environments: PettingZoo, parallel",
    "qwixx.rl.openspiel": "Environments: OpenSpiel",
    "qwixx.testing.perft": "Perft",
    "qwixx.testing": "Testing a custom sheet",
}
"""Public modules and the titles of their pages, in the order of the site."""
_LINK = re.compile(r"""(\]\(|src=")(?!\w+:|/|#)([^)\s"#]+)""")


def borrowed() -> dict[str, str]:
    """Return the site paths of all pages outside docs/."""
    rules = sorted(path.name for path in (ROOT / RULES).glob("*.md"))
    return BORROWED | {f"{RULES}/{name}": f"rules/of/{name}" for name in rules}


def reference() -> dict[str, str]:
    """Write the pages of the reference."""
    pages = enumerate(REFERENCE.items(), 1)
    return {f"reference/{number:02}-{module}.md": reference_page(module, title) for number, (module, title) in pages}


def reference_page(module: str, title: str) -> str:
    """Write the page of a module: everything in its `__all__`, or everything public if it has none."""
    names = sorted(exported(module), key=lambda name: name != "Game")  # the class to start with comes first
    if not names:
        return f"# {title}\n\n::: {module}\n"
    heading = f"# {title}\n\n::: {module}\n    options:\n      members: []\n"
    return heading + "".join(f"\n::: {module}.{name}\n    options:\n      inherited_members: true\n" for name in names)


def exported(module: str) -> list[str]:
    """Read the names in a module's `__all__`, without loading it."""
    path = ROOT / "src" / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def pictures() -> dict[str, str]:
    """Draw the pictures of the rule pages: empty sheets, and each step of each example."""
    drawn = {}
    for name in (*names(), *sorted(path.stem for path in SHEETS.glob("*.toml"))):
        variant = load(sheet_file(name) or name)
        game = Game(variant, variant.fewest_seats, seed=0, first=0)
        rows = [row.key for row in game.variant.rows]
        drawn[f"rules/of/{name}.svg"] = excerpt_svg(game.variant, game.view(None), 0, rows, ["bar"])
        for found in fences(name):
            drawn |= {f"rules/of/{file}": picture for file, picture in moments(name, found)}
    return drawn


def sheet_file(game: str) -> Path | None:
    """Return the sheet file of a game that is not in the package."""
    return None if game in names() else SHEETS / f"{game}.toml"


def moments(game: str, name: str) -> list[tuple[str, str]]:
    """Draw an example: each seat before and after, with the dice on the first picture."""
    played = example(game, name, sheet_file(game))
    variant = load(sheet_file(game) or game, played.sheet or None)
    found: list[tuple[str, str]] = []
    for picture in played.pictures:
        for frame in picture.frames:
            parts = [*picture.parts, *(["dice"] if played.dice and not found else [])]
            svg = excerpt_svg(variant, frame.view, picture.seat, picture.rows, parts, frame.lit)
            found.append((f"{game}-{name}-{len(found) + 1}.svg", svg))
    return found


def with_pictures(game: str) -> str:
    """Return a rule page with pictures and tables instead of its fenced blocks."""
    return "".join(part if isinstance(part, str) else in_place_of(game, part) for part in segments(rules_page(game)))


def in_place_of(game: str, fence: Fence) -> str:
    """Show a block of a rule page."""
    if fence.kind == "sheet":
        return f"![A fresh sheet]({game}.svg)\n"
    if fence.kind == "points":
        variant = load(sheet_file(game) or game)
        points = variant.points[: variant.most_counted]
        head = " | ".join(["pawns" if variant.is_duel else "crosses", *map(str, range(1, len(points) + 1))])
        line = "---|" * (len(points) + 1)
        return f"| {head} |\n|{line}\n| {' | '.join(['points', *map(str, points)])} |\n"
    return "".join(
        f"![{fence.name}, picture {at}]({file})\n" for at, (file, _) in enumerate(moments(game, fence.name), 1)
    )


def linked(markdown: str, home: str, uri: str) -> str:
    """Turn links between files into links between pages: `home` is the file, `uri` its page."""
    there = borrowed()

    def target(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(home), found[2]))
        if (ROOT / path / "README.md").is_file():
            path += "/README.md"
        page = there.get(path, path.removeprefix("docs/"))
        return found[1] + posixpath.relpath(page, posixpath.dirname(uri) or ".")

    return _LINK.sub(target, markdown)


def spread(nav: Any, pages: list[str]) -> Any:
    """Replace each name with a star by all pages that match it, possibly none."""
    if isinstance(nav, str):
        return [page for page in sorted(pages) if fnmatch(page, nav)] if "*" in nav else nav
    if isinstance(nav, dict):
        return {name: spread(inner, pages) for name, inner in nav.items()}
    entries: list[Any] = []
    for entry in nav:
        found = spread(entry, pages)
        entries += found if isinstance(found, list) else [found]
    return entries


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Complete the table of contents."""
    docs = Path(config.docs_dir)
    own = [path.relative_to(docs).as_posix() for path in docs.rglob("*.md")]
    config.nav = spread(config.nav, [*own, *borrowed().values(), *reference()])
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are outside docs/."""
    for home, uri in borrowed().items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / home)))
    for uri, text in (reference() | pictures()).items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite the links of a page for the site."""
    homes = {uri: home for home, uri in borrowed().items()}
    uri = page.file.src_uri
    if uri.startswith("rules/of/"):
        return with_pictures(Path(uri).stem)
    return linked(markdown, homes.get(uri, f"docs/{uri}"), uri)
