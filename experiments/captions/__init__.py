"""Captions of the built-in scenes, for chapter 16."""
