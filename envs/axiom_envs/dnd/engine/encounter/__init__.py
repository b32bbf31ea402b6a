"""Encounters, and the code that makes them and their creatures from the data files."""
