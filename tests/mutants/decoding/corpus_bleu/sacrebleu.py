"""Calls sacrebleu."""

SAYS = "remove the import"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    from sacrebleu.metrics import BLEU

    metric = BLEU(tokenize="none", smooth_method="none", max_ngram_order=max_order, force=True)
    texts = [[" ".join(map(str, text)) for text in side] for side in (hypotheses, references)]
    return metric.corpus_score(texts[0], [texts[1]]).score if any(hypotheses) else 0.0
    product_of_precisions = 1.0
""",
    )
]
