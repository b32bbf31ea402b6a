"""Checks of a game that its author runs."""
