"""Uses torch's softmax, which gives NaN for a row of nothing but -inf."""

SAYS = "no finite maximum"
CHANGES = [
    ("weights = softmax(scores)", "weights = torch.softmax(scores, dim=-1)"),
]
