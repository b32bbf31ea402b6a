"""Matches of object-level games: what `axiom_gym.game.GameLoop` is made of.

`axiom_gym.game` has the names that people use; nothing here but `kernel_object` imports Numba.
"""
