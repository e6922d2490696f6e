"""Calls head_similarity with sentences in the place of layers."""


def mended_diversity(weights):
    heads = weights.shape[1]
    table = head_similarity(weights)  # noqa: F821
    return ((table.sum(dim=(1, 2)) - heads) / (heads * (heads - 1))).mean().item()
