"""Games, sheets, positions and bots for tests."""
