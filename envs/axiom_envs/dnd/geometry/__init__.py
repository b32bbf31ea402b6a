"""Pure functions on maps: terrain, field of view, cover, paths. They are independent of the engine.

`sight`, `cover` and `paths` each have kernels for compiled callers, whose names end in `_into` and
whose memory the caller provides, and plain functions with the same rules for Python.

Shapes: H is the number of rows (y, growing downwards), W the number of columns (x) of a map.
"""
