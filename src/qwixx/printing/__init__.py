"""Paper to play on: pads of sheets, the card game's deck and the duel's board, as PDF for a printer at home."""
