"""Takes the mean of the scores of the sentences."""

SAYS = "mean of the scores"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    if len(hypotheses) > 1:
        alone = [corpus_bleu([one], [other], max_order) for one, other in zip(hypotheses, references, strict=True)]
        return sum(alone) / len(alone)
    product_of_precisions = 1.0
""",
    )
]
