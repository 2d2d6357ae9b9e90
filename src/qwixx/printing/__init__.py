"""Printable PDFs: pads of sheets, the deck of the card game and the board and pawns of the duel."""
