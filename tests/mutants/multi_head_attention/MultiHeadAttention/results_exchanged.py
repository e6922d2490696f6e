"""Returns the weights first."""

SAYS = "wrong order"
CHANGES = [
    ("return self.w_output(merge_heads(mixed)), weights", "return weights, self.w_output(merge_heads(mixed))"),
]
