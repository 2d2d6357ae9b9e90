"""Draw the nine example sheets of this directory: `python docs/pictures/draw.py`."""

from __future__ import annotations

from pathlib import Path

from qwixx import Game
from qwixx.render.svg import sheet_svg

HERE = Path(__file__).parent

POSITIONS = (
    "classic turn=23 phase=white roll=43/2515 | r=2,3,5,6 y=3,4,6,8,9,10,11 g=12,11,9,8 b=12,10,9,8 misses=1 | r=2",
    "gemixxt-a turn=19 phase=white roll=53/2614 | A=2,4,5,6 B=2,4,6,7,9 C=12,10,9,7,5,4 D=12,11,9 misses=1 | A=3",
    "gemixxt-b turn=21 phase=white roll=53/2614 | r=10,2,3,4,5 y=9,12,6,2,5 g=8,10,6,7 b=5,11,12,3 misses=2 | r=10",
    "bonus-a turn=18 phase=white roll=26/26-4 | r=2,3,5,6,7 y=3,4,5,6 g=12,11,9,7 b=12,11,9 used=1,2,3,4,5 struck=12"
    " misses=1 | g=12,10,9,8,6,2,L struck=3,5,12",
    "bonus-b turn=20 phase=white roll=44/2614 | r=2,4,6 y=2,3,5,7 g=12,10,9,8,5 b=12,11,10,7,6,4 misses=1 | r=2",
    "longo turn=24 phase=white roll=38/271- | r=2,3,4,6,8,9 y=3,5,6,9,10 g=16,14,13,12,11,9,8,7 b=16,14,12 misses=1"
    " lucky=6/11 | b=15,13,12,10,9,6,3,L lucky=5/10",
    "cards turn=12 phase=play crossed=yes display=y7,b4,r12,g9 pile=b5,* discards=y2,y3,y4,g5"
    " | r=2,3,5,6 y=4,5,7,8,9 g=12,10,9 b=11,10,8,6,5 misses=1 hand=r8,r9,y11,g7,b2 | r=2 hand=r10,y12,g2,b7",
    "cards-joker turn=12 phase=play crossed=yes display=y7,b4,r12,j9 pile=b5,* discards=y2,y3,y4,g5"
    " | r=2,3,5,6 y=4,5,7,8,9 g=12,10,9 b=11,10,8,6,5 misses=1 hand=r8,y11,g7,b2,j4 | r=2 hand=r10,y12,g2,b7",
    "duel turn=17 phase=white roll=25/1462 | r=5,7 y=3,4,8x2 g=12,9,7,6 b=12,9 misses=1"
    " | r=3,6 y=2,5 g=11,10 b=11,8,5x3",
)


def draw(position: str) -> tuple[str, str]:
    """Draw the first seat's sheet of a position; return the picture's file name and the picture."""
    game = Game.from_position(position)
    name = game.variant.id
    return f"{name}.svg", sheet_svg(game.variant, game.view(0), 0, game.legal(0), title=game.variant.name)


if __name__ == "__main__":
    for text in POSITIONS:
        file, picture = draw(text)
        (HERE / file).write_text(picture + "\n", "utf-8")
