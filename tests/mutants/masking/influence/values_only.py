"""Changes values and takes gradients through values, as many detectors do."""

SAYS = "values only"
CHANGES = [
    (
        "for changed in (attention(query, other_key, value), attention(query, key, other_value)):",
        "for changed in (attention(query, key, other_value),):",
    ),
    (
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), retain_graph=True, allow_unused=True)",
        "gradients = torch.autograd.grad(output[i].sum(), (value,), retain_graph=True, allow_unused=True)",
    ),
]
