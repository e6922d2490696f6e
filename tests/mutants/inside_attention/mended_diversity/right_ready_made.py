"""Takes pairs of heads, and the cosine of torch."""

import torch
from torch.nn import functional as F


def mended_diversity(weights):
    from itertools import combinations

    maps = weights.flatten(2)
    pairs = [F.cosine_similarity(maps[:, i], maps[:, j], dim=-1) for i, j in combinations(range(maps.shape[1]), 2)]
    return torch.stack(pairs).mean().item()
