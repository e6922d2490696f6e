"""Has changed nothing."""

SAYS = "both bugs"


def mended_diversity(weights):
    maps = weights.mean(dim=0).flatten(start_dim=1)
    directions = maps / maps.norm(dim=1, keepdim=True)
    return (directions @ directions.T).mean().item()
