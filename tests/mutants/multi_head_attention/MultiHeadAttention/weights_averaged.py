"""Averages the weights over the heads, as torch.nn.MultiheadAttention does."""

SAYS = "averaged over the heads"
CHANGES = [
    ("return self.w_output(merge_heads(mixed)), weights", "return self.w_output(merge_heads(mixed)), weights.mean(1)"),
]
