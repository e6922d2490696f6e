"""Beams of growing width against exact search, for three small translators."""
