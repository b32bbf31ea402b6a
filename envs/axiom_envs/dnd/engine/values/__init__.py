"""The rule book's lists, modifiers, modifiable values and dice."""
