"""HTTP routes, the built page, admission of requests, and the WebSocket endpoint. `table` handles socket messages."""
