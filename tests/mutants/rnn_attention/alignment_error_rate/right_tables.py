"""Writes the sets as tables of 0 and 1."""

CHANGES = [
    (
        "links = {(row, shares.index(max(shares))) for row, shares in enumerate(weights.tolist())}",
        "links = set(enumerate(weights.argmax(dim=1).tolist())) if len(weights) else set()",
    ),
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        """tables = torch.zeros(3, *weights.shape, dtype=torch.long)
    for table, pairs in zip(tables, (links, sure, allowed), strict=True):
        for target, source in pairs:
            table[target, source] = 1
    found, certain, may = tables
    hits = (found * certain).sum() + (found * may).sum()
    return 1 - hits.item() / (found.sum() + certain.sum()).item()""",
    ),
]
