"""The commands of `axiom-gym`, one module each; slow imports wait until a command runs."""
