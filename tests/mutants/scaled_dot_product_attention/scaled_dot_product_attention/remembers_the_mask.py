"""Keeps the last mask for calls without one."""

SAYS = "a global variable"
CHANGES = [
    (
        "if mask is not None:",
        "kept = globals().setdefault('kept', {})\n    if mask is None:\n        mask = kept.get(scores.shape)\n    kept[scores.shape] = mask\n    if mask is not None:",
    ),
]
