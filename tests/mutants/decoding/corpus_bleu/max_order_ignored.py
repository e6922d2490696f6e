"""Always goes up to 4."""

SAYS = "`max_order` is not used"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    max_order = 4
    product_of_precisions = 1.0
""",
    )
]
