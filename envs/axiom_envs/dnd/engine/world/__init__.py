"""Worlds: objects, events, and who hands these on."""
