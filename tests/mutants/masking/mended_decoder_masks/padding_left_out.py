"""Uses the causal mask alone."""

SAYS = "padding of the target is left out"
CHANGES = [
    ("self_mask = causal & real", "self_mask = causal.expand(len(target), 1, -1, -1)"),
]
