"""Returns the heads as they are, with no fourth layer."""

SAYS = "projection of the merged heads is missing"
CHANGES = [
    ("self.w_output = nn.Linear(d_model, d_model, bias=bias)", "pass"),
    ("self.w_output(merge_heads(mixed))", "merge_heads(mixed)"),
]
