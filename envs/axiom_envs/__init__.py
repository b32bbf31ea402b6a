"""The games of Axiom Gym, one package each; plugins of the core."""
