"""Matches and series of games between players of any kind."""
