"""Helpers that several tests share; none of them is a test."""
