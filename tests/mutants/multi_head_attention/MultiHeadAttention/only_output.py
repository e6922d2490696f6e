"""Returns the output alone."""

SAYS = "only one of the results"
CHANGES = [
    ("return self.w_output(merge_heads(mixed)), weights", "return self.w_output(merge_heads(mixed))"),
]
