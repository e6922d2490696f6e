"""Starts from zeros whatever hidden says."""

SAYS = "`hidden` is not used"
CHANGES = [
    (
        "    from_left, _ =",
        """    hidden = torch.zeros_like(hidden)
    from_left, _ =""",
    ),
]
