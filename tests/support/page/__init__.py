"""Browsers, static hosts and WebAssembly programs that tests drive."""
