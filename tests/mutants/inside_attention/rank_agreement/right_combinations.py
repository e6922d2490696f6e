"""Goes through combinations, and compares each list on its own."""


def rank_agreement(first, second):
    from itertools import combinations

    if len(first) != len(second) or len(first) < 2:
        raise ValueError("second: expected as many numbers as in first, 2 at least")
    votes = []
    for (a, b), (c, d) in combinations(zip(first, second, strict=True), 2):
        if a == c or b == d:
            votes.append(0)
        else:
            votes.append(1 if (a < c) == (b < d) else -1)
    return sum(votes) / len(votes)
