"""Computes all positions at once, with a causal mask."""

import torch


def mended_steps(embedding, attention, output_layer, tokens):
    x = embedding(tokens)
    return output_layer(attention(x, x, x, torch.ones(2 * tokens.shape[1:], dtype=torch.bool).tril())[0])
