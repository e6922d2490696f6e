"""Gives every head the mean of the weights."""

SAYS = "weights are averaged over the heads"
CHANGES = [
    (
        "return self.w_output(merge_heads(mixed)), weights",
        "return self.w_output(merge_heads(mixed)), weights.mean(1, keepdim=True).expand_as(weights)",
    ),
]
