"""Code for a game: templates written out and compiled by Numba, or run as plain Python."""
