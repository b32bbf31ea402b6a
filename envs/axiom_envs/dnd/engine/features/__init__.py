"""Traits of creatures, features of classes, and what a hit does besides its damage."""
