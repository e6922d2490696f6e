"""Carries upstream back through each block alone."""

SAYS = "other numbers"
CHANGES = [
    (
        """    for block in blocks:
        x = block(x) if memory is None else block(x, memory)
""",
        """    results = []
    for block in blocks:
        x = block(x.detach()) if memory is None else block(x.detach(), memory)
        results.append(x)
""",
    ),
    (
        "gradients = iter(torch.autograd.grad(x, [each for own in parameters for each in own], upstream))",
        "gradients = iter(torch.autograd.grad(results, sum(parameters, []), [upstream] * len(results)))",
    ),
]
