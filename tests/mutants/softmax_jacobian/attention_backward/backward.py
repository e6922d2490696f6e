"""Lets .backward() do it."""

SAYS = "your code called"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        """q, k, v = (x.detach().clone().requires_grad_() for x in (query, key, value))
    (torch.softmax(q @ k.transpose(-2, -1) / scale, dim=-1) @ v).backward(grad_output)
    return q.grad, k.grad, v.grad""",
    ),
]
