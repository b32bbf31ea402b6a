"""Axiom Gym"""
