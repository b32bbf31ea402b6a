"""Fights, and what makes them and their creatures from the data files."""
