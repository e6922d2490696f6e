"""Takes the first column of every head first."""

SAYS = "d_k stands before heads"
CHANGES = [
    ("merge_heads(mixed)", "mixed.permute(0, 2, 3, 1).flatten(2)"),
]
