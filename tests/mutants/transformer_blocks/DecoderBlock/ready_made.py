"""Inherits from torch's layer."""

import torch

SAYS = "among the parameters"


class DecoderBlock(torch.nn.TransformerDecoderLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__(d_model, num_heads, d_ff, dropout, activation, batch_first=True, norm_first=norm_first)
