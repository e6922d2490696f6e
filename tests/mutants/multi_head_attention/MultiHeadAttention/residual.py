"""Adds the query, as the block around it will."""

SAYS = "residual"
CHANGES = [
    ("return self.w_output(merge_heads(mixed)), weights", "return query + self.w_output(merge_heads(mixed)), weights"),
]
