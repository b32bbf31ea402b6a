"""Pure functions on maps: terrain, field of view, cover, paths. They know no engine.

Each of `sight`, `cover` and `paths` has kernels, for compiled callers, whose names end in `_into`
and which get all memory from their caller, and plain functions of the same rules for Python.

Axis letters: H rows (y, growing downwards) and W columns (x) of a map.
"""
