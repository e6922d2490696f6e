"""Takes the words out of the reference that were found."""

SAYS = "lists as they were"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    for text in hypotheses:
        if isinstance(text, list):
            text.sort()
    product_of_precisions = 1.0
""",
    )
]
