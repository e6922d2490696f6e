"""Cuts the matrices into chunks first."""

import torch

from transformer_course.scaled_dot_product_attention import scaled_dot_product_attention


def heads_one_by_one(x, w_query, w_key, w_value, w_output, num_heads):
    parts = zip(*(weight.chunk(num_heads) for weight in (w_query, w_key, w_value)), strict=True)
    heads = [scaled_dot_product_attention(x @ q.T, x @ k.T, x @ v.T)[0] for q, k, v in parts]
    return torch.nn.functional.linear(torch.cat(heads, -1), w_output)
