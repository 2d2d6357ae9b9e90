"""Servers, databases and clusters that tests start."""
