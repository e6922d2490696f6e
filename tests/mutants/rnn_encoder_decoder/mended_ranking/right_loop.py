"""Builds the list in a loop."""


def mended_ranking(hypotheses, alpha):
    ranked = []
    for (_, *words), total in hypotheses:
        ranked.append((words, total / ((5 + len(words)) / 6) ** alpha))
    ranked.sort(key=lambda pair: pair[1])
    return ranked[::-1]
