"""Captioners that point, for chapter 16."""
