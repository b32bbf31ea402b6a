"""The compiler, which traces the callables of a config and writes the traces out as a kernel."""
