"""Makes a tensor of whatever comes."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if not isinstance(mask, Tensor) or mask.dtype != torch.bool:",
        """mask = torch.as_tensor(mask)
        if mask.dtype != torch.bool:""",
    ),
]
