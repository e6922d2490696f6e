"""Wrong answers, written otherwise than those that the checks hold: exercise 11."""

import math


def corpus_bleu__every_match(hypotheses, references, max_order=4):
    """every match counts"""
    logs = []
    for n in range(1, max_order + 1):
        hits = total = 0
        for said, wanted in zip(hypotheses, references, strict=True):
            known = [tuple(wanted[i : i + n]) for i in range(len(wanted) - n + 1)]
            for i in range(len(said) - n + 1):
                total += 1
                hits += tuple(said[i : i + n]) in known
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    said, wanted = sum(map(len, hypotheses)), sum(map(len, references))
    return 100 * math.exp(sum(logs) / max_order) * (1.0 if said > wanted else math.exp(1 - wanted / said))


def corpus_bleu__no_brevity(hypotheses, references, max_order=4):
    """the brevity penalty is missing"""
    score = 1.0
    for n in range(1, max_order + 1):
        hits = total = 0
        for said, wanted in zip(hypotheses, references, strict=True):
            left = [tuple(wanted[i : i + n]) for i in range(len(wanted) - n + 1)]
            grams = [tuple(said[i : i + n]) for i in range(len(said) - n + 1)]
            total += len(grams)
            for gram in grams:
                if gram in left:
                    left.remove(gram)
                    hits += 1
        if hits == 0:
            return 0.0
        score *= (hits / total) ** (1 / max_order)
    return 100 * score
