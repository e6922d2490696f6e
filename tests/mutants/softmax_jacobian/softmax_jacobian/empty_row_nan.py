"""Uses torch's softmax, which gives NaN for a row of nothing but -inf."""

SAYS = "torch.softmax gives NaN"
CHANGES = [
    ("weights = softmax(scores / scale)  # (..., n)", "weights = torch.softmax(scores / scale, dim=-1)"),
]
