"""Takes the references for the hypotheses."""

SAYS = "change places"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    hypotheses, references = references, hypotheses
    product_of_precisions = 1.0
""",
    )
]
