"""Has not begun."""

SAYS = "still holds its first version"


def corpus_bleu(hypotheses, references, max_order=4):
    raise NotImplementedError
