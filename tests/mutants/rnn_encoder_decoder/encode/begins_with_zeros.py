"""Begins with zeros whatever hidden says."""

SAYS = "`hidden` is not used"
CHANGES = [
    (
        "    outputs = [",
        """    hidden = torch.zeros_like(hidden)
    outputs = [""",
    ),
]
