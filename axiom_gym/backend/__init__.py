"""Code for a game: templates that Numba compiles, or that run as plain Python."""
