"""Beams of growing width against exact search, for the translator in the page."""

AFTER = ("page_translator",)
