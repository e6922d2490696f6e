"""Takes the matrices out of the graph."""

SAYS = "no gradient"
CHANGES = [
    ("return torch.cat(heads, dim=-1) @ w_output.T", "return (torch.cat(heads, dim=-1) @ w_output.T).detach()"),
]
