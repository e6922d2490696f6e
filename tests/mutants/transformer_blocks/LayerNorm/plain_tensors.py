"""Keeps gain and shift as plain tensors."""

SAYS = "plain tensors or buffers"
CHANGES = [
    ("self.weight = nn.Parameter(torch.ones(d_model))", "self.weight = torch.ones(d_model)"),
    ("self.bias = nn.Parameter(torch.zeros(d_model))", "self.bias = torch.zeros(d_model)"),
]
