"""Creatures: their blocks, conditions and d20 tests."""
