"""Whole games: matches between players of any kind, and series of them."""
