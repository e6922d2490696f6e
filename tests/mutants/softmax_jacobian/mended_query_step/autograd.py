"""Lets autograd do it."""

SAYS = "your code called"
CHANGES = [
    (
        "return query - step_size * grad_query",
        """leaf = query.detach().requires_grad_()
    loss = (torch.softmax(key @ leaf / scale, dim=-1) @ value - target).square().sum() / 2
    return query - step_size * torch.autograd.grad(loss, leaf)[0]""",
    ),
]
