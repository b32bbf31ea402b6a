"""The commands of `axiom-gym`, one module each. They import what takes long only when they run."""
