"""The compiler, which traces the callables of a config and writes a kernel from the traces."""
