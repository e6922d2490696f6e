"""Takes a sentence without a batch for a batch of one."""

SAYS = "it returned a result"
CHANGES = [
    (
        """    if x.dim() != 3:
        raise""",
        """    x = x[None] if x.dim() == 2 else x
    if x.dim() != 3:
        raise""",
    ),
]
