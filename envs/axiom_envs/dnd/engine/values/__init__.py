"""The enumerations of the SRD, modifiers, modifiable values and dice."""
