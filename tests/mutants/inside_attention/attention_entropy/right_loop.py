"""Goes through the keys one by one."""

CHANGES = [
    (
        "return -(weights * logarithms).sum(dim=-1)",
        """total = weights.new_zeros(weights.shape[:-1])
    for key in range(weights.shape[-1]):
        total = total - weights[..., key] * logarithms[..., key]
    return total""",
    ),
]
