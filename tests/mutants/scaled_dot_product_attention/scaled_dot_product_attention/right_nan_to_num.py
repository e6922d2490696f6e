"""Replaces NaN by 0; masked_fill gives hidden scores the gradient 0, so the NaN goes no further."""

CHANGES = [
    ("weights = softmax(scores)", "weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)"),
]
