"""Learns one gain and one shift for all features."""

SAYS = "one gain and one shift"
CHANGES = [
    ("self.weight = nn.Parameter(torch.ones(d_model))", "self.weight = nn.Parameter(torch.ones(1))"),
    ("self.bias = nn.Parameter(torch.zeros(d_model))", "self.bias = nn.Parameter(torch.zeros(1))"),
    ("if x.dim() == 0 or x.shape[-1] != len(self.weight):", "if x.dim() == 0:"),
]
