"""Takes the cosine for the dot product."""

SAYS = "the cosine"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return F.cosine_similarity(query.unsqueeze(1), keys, dim=-1)",
    ),
]
