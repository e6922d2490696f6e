"""Takes the maximum in plain Python, and counts pair by pair."""

CHANGES = [
    (
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if weights.numel() else set()",
        "links = {(row, shares.index(max(shares))) for row, shares in enumerate(weights.tolist())}",
    ),
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        """hits = sum((link in sure) + (link in allowed) for link in links)
    return 1.0 - hits / (len(links) + len(sure))""",
    ),
]
