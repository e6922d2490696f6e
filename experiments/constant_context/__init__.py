"""Is it the looking back, or hearing of the source at every step? `python -m experiments.constant_context`."""

AFTER = ("ladder",)
