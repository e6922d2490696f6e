"""Changes to random numbers, and to zeros, each in a call of its own."""

CHANGES = [
    (
        "other_key[j] += 1.5",
        "other_key[j] = torch.randn(key.shape[1], dtype=key.dtype, generator=torch.Generator().manual_seed(j))",
    ),
    ("other_value[j] += 1.5", "other_value[j] *= -0.5"),
]
