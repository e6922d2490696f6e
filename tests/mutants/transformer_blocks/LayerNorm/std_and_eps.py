"""Uses torch.std and adds eps to it, as a well-known tutorial does."""

SAYS = "and eps is added outside the root"
CHANGES = [
    (
        "return centred / (variance + self.eps).sqrt() * self.weight + self.bias",
        "return centred / (x.std(dim=-1, keepdim=True) + self.eps) * self.weight + self.bias",
    ),
]
