"""Makes a kernel of a config: its callables are traced, and the trace is written out as code."""
