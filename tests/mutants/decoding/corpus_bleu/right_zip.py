"""Makes n-grams with zip, and clips with min."""

CHANGES = [
    (
        "return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))",
        "return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))",
    ),
    ("(found & wanted).total() for", "sum(min(found[gram], wanted[gram]) for gram in found) for"),
]
