"""Makes the layers and counts what they hold."""

CHANGES = [
    (
        "return 4 * d_model * (d_model + int(bias))",
        """layers = [torch.nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]
    return sum(p.numel() for layer in layers for p in layer.parameters())""",
    ),
]
