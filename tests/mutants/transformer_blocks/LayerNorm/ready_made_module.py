"""Hands the work to nn.LayerNorm."""

SAYS = "too many"
CHANGES = [
    (
        "self.bias = nn.Parameter(torch.zeros(d_model))",
        """self.bias = nn.Parameter(torch.zeros(d_model))
        self.theirs = nn.LayerNorm(d_model, eps)""",
    ),
    ("return centred / (variance + self.eps).sqrt() * self.weight + self.bias", "return self.theirs(x)"),
]
