"""Keeps the last mask for calls without one."""

SAYS = "a global variable"
CHANGES = [
    (
        "if mask is not None:",
        """kept = globals().setdefault('kept', {})
    if mask is None:
        mask = kept.get(scores.shape)
    kept[scores.shape] = mask
    if mask is not None:""",
    ),
]
