"""Puzzles as a quiz: asks for the best choice, says whether it is right and why, and keeps the score."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from qwixx.base.languages import current_language
from qwixx.cli.table.drawing import choices_text, decision_parts, draw_sheets
from qwixx.cli.table.input_parser import read_choice
from qwixx.cli.table.solved_puzzles import SolvedPuzzles
from qwixx.cli.terminal.keyboard import EndOfInputError, Keyboard
from qwixx.cli.terminal.pages import News, is_screen, lines_of, pages
from qwixx.cli.terminal.screen import say
from qwixx.coach.reasons.sentences import joined, reasons_of, sentence
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.puzzles.generate import Puzzle
from qwixx.text.catalogue import t
from qwixx.text.labels import sentence as capital
from qwixx.variants.model import Variant

_PROMPT_LINES = 1
_LEAVE = ("quit", "exit", "q")


class Quiz:
    """A quiz of puzzles of one game; solved ones come last."""

    def __init__(self, console: Console, variant: Variant, puzzles: Sequence[Puzzle]) -> None:
        """Start with a score of nothing."""
        self.console = console
        self.keyboard = Keyboard(console)
        self.news = News(console, self.keyboard)
        self.variant = variant
        self.known = SolvedPuzzles()
        # Those that are still to be solved come first; each part stays in its order.
        self.puzzles = sorted(puzzles, key=lambda puzzle: puzzle in self.known)
        self.asked = self.solved = self.streak = 0

    def run(self) -> None:
        """Ask until the last puzzle is answered or the person leaves; then say the score."""
        self.news.say(t("cli.quiz"), "dim", must_show=True)
        try:
            for puzzle in self.puzzles:
                self._ask(puzzle)
                if self.asked < len(self.puzzles) and self.keyboard.ask(f"{t('cli.quiz.next')} ").lower() in _LEAVE:
                    break
        except EndOfInputError:
            pass
        say(self.console, self._score(), "bold")
        done = sum(puzzle in self.known for puzzle in self.puzzles)
        in_all = t("train.solved", n=done, all=len(self.puzzles))
        say(self.console, f"{t('train.title', game=self.variant.name)}: {in_all}.", "dim")

    def _score(self) -> str:
        return f"{t('train.solved', n=self.solved, all=self.asked)}."

    def _ask(self, puzzle: Puzzle) -> None:
        """Show a position, and read lines until one is an answer."""
        game = Game.from_position(puzzle.position, variant=self.variant)
        seat = puzzle.seat
        names = [t("count.player", n=each + 1) for each in range(game.seats)]
        names[seat] = t("today.row.you")
        if game.seats == 2:
            names[1 - seat] = t("train.other")
        self._show(puzzle, game, names)
        while True:
            line = self.keyboard.ask(f"{names[seat]}> ")
            match line.lower():
                case word if word in _LEAVE:
                    raise EndOfInputError
                case "?" | "help":
                    say(self.console, t("cli.quiz"), "dim")
                case "list":
                    legal = game.legal(seat)
                    with pages(self.console, self.keyboard):
                        say(self.console, choices_text(legal, range(len(legal)), self.console.width))
                case "sheet":
                    with pages(self.console, self.keyboard):
                        draw_sheets(self.console, game.variant, game.view(seat), names)
                case "":
                    self._judge(puzzle, game, "")
                    return
                case _:
                    try:
                        chosen = read_choice(game, seat, game.legal(seat), line)
                    except QwixxError as error:
                        say(self.console, t("cli.again", reason=str(error)))
                        continue
                    self._judge(puzzle, game, chosen)
                    return

    def _show(self, puzzle: Puzzle, game: Game, names: list[str]) -> None:
        number = t("review.count", n=self.asked + 1, all=len(self.puzzles))
        turn = t(
            "cli.turn.yours" if game.active == puzzle.seat else "cli.turn.of", turn=game.turn, name=names[game.active]
        )
        below = [
            Text(f"{number}: {turn} {t(f'train.theme.{puzzle.theme}')}", "dim"),
            Text(t("cli.quiz.ask"), "bold"),
        ]
        room = self.console.height - _PROMPT_LINES - 1 if is_screen(self.console, self.keyboard) else None
        parts = decision_parts(self.console, game, puzzle.seat, names, below, room)
        self.news.show(None if room is None else room - lines_of(self.console, *parts))
        self.console.print()
        for part in parts:
            say(self.console, part)

    def _judge(self, puzzle: Puzzle, game: Game, chosen: str) -> None:
        """Say whether the choice is the best, what another one costs, and the reasons."""
        is_right = chosen == puzzle.best
        self.asked += 1
        self.solved += is_right
        if is_right:
            self.known.add(puzzle)
        self.streak = self.streak + 1 if is_right else 0
        say(self.console, t("train.right") if is_right else f"{t('train.wrong', choice=puzzle.best)}.", "bold")
        actions = {action.text: action for action in game.legal(puzzle.seat)}
        shown = [text for text in dict.fromkeys((puzzle.best, chosen)) if text in actions]
        for text, reasons in zip(shown, reasons_of(game, puzzle.seat, [actions[text] for text in shown]), strict=True):
            words = [sentence(game.variant, reason, current_language()) for reason in reasons]
            if words:
                say(self.console, f"  {text}: {capital(joined(words, current_language()))}")
        lost = {text: puzzle.choices[0][1] - value for text, value, _ in puzzle.choices}
        if not is_right and chosen in lost:
            say(self.console, t("train.costs", loss=f"{100 * lost[chosen]:.1f} %"))
        if is_right and puzzle.is_tricky:
            say(self.console, t("train.tricky"))
        streak = f" {t('train.streak', n=self.streak)}." if self.streak > 1 else ""
        say(self.console, f"{self._score()}{streak}", "dim")
