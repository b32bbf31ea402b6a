"""The rules: actions, attacks, movement, damage and the conditions of the SRD."""
