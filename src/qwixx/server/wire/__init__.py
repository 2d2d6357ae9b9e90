"""Bytes in and out: message structs, one socket, transports, the relay between processes. No game and no table."""
