"""Concatenates a list of heads."""

CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "torch.cat(list(x.unbind(1)), dim=-1)"),
]
