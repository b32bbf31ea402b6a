"""Training"""
