"""Calls the parameters gamma and beta."""

SAYS = "no weight, bias; and gamma, beta too many"
CHANGES = [
    ("self.weight = nn.Parameter(torch.ones(d_model))", "self.gamma = nn.Parameter(torch.ones(d_model))"),
    ("self.bias = nn.Parameter(torch.zeros(d_model))", "self.beta = nn.Parameter(torch.zeros(d_model))"),
    (" * self.weight + self.bias", " * self.gamma + self.beta"),
]
