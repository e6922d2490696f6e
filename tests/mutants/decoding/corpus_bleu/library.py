"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    from transformer_course.decoding import corpus_bleu as theirs

    return theirs(hypotheses, references, max_order)
    product_of_precisions = 1.0
""",
    )
]
