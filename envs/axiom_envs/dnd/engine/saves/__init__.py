"""Worlds and encounters as JSON."""
