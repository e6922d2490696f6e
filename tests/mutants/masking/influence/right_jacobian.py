"""Takes the gradients of all outputs at once."""

CHANGES = [
    (
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), retain_graph=True, allow_unused=True)",
        """gradients = []
        for x in (key, value):
            found = torch.autograd.grad(output[i].sum(), x, retain_graph=True, allow_unused=True)[0]
            gradients.append(torch.zeros_like(x) if found is None else found)""",
    ),
]
