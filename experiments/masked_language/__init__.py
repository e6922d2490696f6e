"""Gaps, labels and agreement: all runs of chapter 14, `python -m experiments.masked_language`."""
