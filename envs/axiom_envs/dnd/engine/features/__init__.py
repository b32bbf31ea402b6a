"""Traits of creatures, features of classes, and the extra effects of a hit."""
