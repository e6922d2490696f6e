"""Joins the sentences."""

SAYS = "over their ends"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    hypotheses, references = ([sum(map(list, side), [])] for side in (hypotheses, references))
    product_of_precisions = 1.0
""",
    )
]
