"""Worlds: objects, events, event handlers and the dispatcher."""
