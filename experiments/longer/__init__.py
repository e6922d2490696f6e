"""Sentences longer than any in training."""
