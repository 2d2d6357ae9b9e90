"""A game at one keyboard: prompts, input, drawing, announcements and saved games. Commands are in `commands`."""
