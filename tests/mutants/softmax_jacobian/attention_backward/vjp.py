"""Lets torch.func.vjp do it."""

SAME_AS = "autograd"
SAYS = "your code called"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        """def forward(q, k, v):
        return torch.softmax(q @ k.transpose(-2, -1) / scale, dim=-1) @ v

    return torch.func.vjp(forward, query, key, value)[1](grad_output)""",
    ),
]
