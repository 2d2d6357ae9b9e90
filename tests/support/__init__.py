"""Helpers that several tests share: nothing in here is a test."""
