"""Lets autograd do it."""

SAYS = "your code called"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        """q, k, v = (x.detach().requires_grad_() for x in (query, key, value))
    output = torch.softmax(q @ k.transpose(-2, -1) / scale, dim=-1) @ v
    return torch.autograd.grad(output, (q, k, v), grad_output)""",
    ),
]
