"""Sets the output of an empty row to zero."""

SAYS = "repaired after the last projection"
CHANGES = [
    (
        "return self.w_output(merge_heads(mixed)), weights",
        """output = self.w_output(merge_heads(mixed))
        if mask is not None:
            empty = ~mask.expand(weights.shape).any(-1).any(1)
            output = output.masked_fill(empty[..., None], 0.0)
        return output, weights""",
    ),
]
