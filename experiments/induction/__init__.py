"""Heads that learn to copy, watched."""
