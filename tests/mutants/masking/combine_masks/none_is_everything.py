"""Returns a mask of one entry where there is none."""

SAYS = "a mask is made up"
CHANGES = [
    ("return combined", "return torch.tensor(True) if combined is None else combined"),
]
