"""
A Model Context Protocol server: assistants start games, look, decide, ask the coach and are measured.

`tools` declares the tools and the bounds of their input, `desk` keeps the games and answers, `seated_game` is one game
with its bots, and `stdio_server` speaks the protocol. docs/assistants.md is the guide.
"""
