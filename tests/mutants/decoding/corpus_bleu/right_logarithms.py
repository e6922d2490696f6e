"""Adds logarithms, and takes each match out of a list."""

import math


def corpus_bleu(hypotheses, references, max_order=4):
    if max_order <= 0 or len(hypotheses) != len(references):
        raise ValueError(f"hypotheses, references, max_order: got {len(hypotheses)}, {len(references)}, {max_order}")
    if any(isinstance(text, str) for side in (hypotheses, references) for text in side):
        raise ValueError("hypotheses, references: expected lists of tokens, got a string")
    total = 0.0
    for n in range(max_order):
        right = written = 0
        for one, other in zip(hypotheses, references, strict=True):
            left = [list(other[i : i + n + 1]) for i in range(len(other) - n)]
            for i in range(len(one) - n):
                written += 1
                gram = list(one[i : i + n + 1])
                if gram in left:
                    left.remove(gram)
                    right += 1
        if not right:
            return 0
        total += math.log(right) - math.log(written)
    c, r = sum(len(one) for one in hypotheses), sum(len(other) for other in references)
    return math.exp(math.log(100) + total / max_order + (0 if c > r else 1 - r / c))
