"""Pairs column i with column i + d_k / 2."""

SAYS = "halves in the place of neighbours"
CHANGES = [
    ("x[..., 0::2], x[..., 1::2]", "x[..., : d_k // 2], x[..., d_k // 2 :]"),
    ("torch.stack(turned, dim=-1).flatten(-2)", "torch.cat(turned, dim=-1)"),
]
