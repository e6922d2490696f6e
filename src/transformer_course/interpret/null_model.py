"""What chance looks like to chapter 12: attention maps that mean nothing.

Dimension names: ``layers``, ``heads``, ``query_length`` m, ``key_length`` n.
"""

import torch
from torch import Tensor

from transformer_course.common.validation import require_mask, require_positive


def random_attention(
    num_maps: int,
    query_length: int,
    key_length: int,
    mask: Tensor | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Draw attention maps that mean nothing: every row is uniform over all rows of weights that there are.

    Source: Devroye (1986), "Non-Uniform Random Variate Generation", chapter V: exponential draws divided by their sum
    are uniform on the simplex.

    Args:
        num_maps: how many maps.
        query_length: rows of a map.
        key_length: columns of a map.
        mask: bool, broadcastable to ``(query_length, key_length)``; ``causal_mask(n)`` for the maps of a decoder.
        generator: where to draw from, and on which device; ``None`` means torch's global one.

    Returns:
        The maps ``(num_maps, query_length, key_length)`` in torch's default dtype. Rows sum to 1; a row that may attend
        to nothing is zero.

    Raises:
        ValueError: if a size is not a positive integer, or the mask is not boolean or does not broadcast.
    """
    require_positive("num_maps", num_maps)
    require_positive("query_length", query_length)
    require_positive("key_length", key_length)
    device = None if generator is None else generator.device
    draws = torch.empty(num_maps, query_length, key_length, device=device).exponential_(generator=generator)
    if mask is not None:
        require_mask(mask, draws.shape[1:])
        draws = draws * mask.to(draws.device)
    total = draws.sum(dim=-1, keepdim=True)  # (num_maps, query_length, 1)
    return draws / total.masked_fill(total == 0, 1.0)
