"""Our weights under the names of ``torch.nn``, so that both can be compared number for number."""

import re
from collections.abc import Mapping

import torch
from torch import Tensor, nn

# Ours, theirs. The three input projections of attention are one matrix in torch, the embeddings are not part of it.
RENAMED = (
    (r"encoder_blocks\.", "encoder.layers."),
    (r"decoder_blocks\.", "decoder.layers."),
    (r"encoder_norm\.", "encoder.norm."),
    (r"decoder_norm\.", "decoder.norm."),
    (r"self_attention\.", "self_attn."),
    (r"cross_attention\.", "multihead_attn."),
    (r"w_output\.", "out_proj."),
    (r"feed_forward\.linear_", "linear"),
    (r"norm_(\d)", r"norm\1"),
    (r"w_query\.", "in_proj_"),
)


def torch_state_dict(module: nn.Module) -> dict[str, Tensor]:
    """Rename the weights of a module of the course for its counterpart in ``torch.nn``.

    Args:
        module: ``MultiHeadAttention``, ``EncoderBlock``, ``DecoderBlock`` or ``Transformer``.

    Returns:
        What ``load_state_dict`` of ``nn.MultiheadAttention``, ``nn.TransformerEncoderLayer``,
        ``nn.TransformerDecoderLayer`` or ``nn.Transformer`` takes.
    """
    return torch_names(module.state_dict())


def torch_names(ours: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Rename weights that are at hand under our names, as in ``torch_state_dict``; gradients flow through it."""
    theirs = {}
    for name, tensor in ours.items():
        if re.search(r"w_key\.|w_value\.|embedding|output_layer", name):
            continue
        if "w_query." in name:
            tensor = torch.cat([ours[name.replace("w_query.", part)] for part in ("w_query.", "w_key.", "w_value.")])
        for pattern, replacement in RENAMED:
            name = re.sub(pattern, replacement, name)
        theirs[name] = tensor
    return theirs
