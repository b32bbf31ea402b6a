"""The games of Axiom Gym, one package each. The core finds them as plugins."""
