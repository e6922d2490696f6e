"""Wrong answers, written otherwise than those that the checks hold: exercise 07."""

import torch


def split_heads__reshape(x, num_heads):
    """it cuts the words into heads, not the columns"""
    return torch.reshape(x, (x.size(0), num_heads, x.size(1), x.size(2) // num_heads))


def split_heads__every_so_many(x, num_heads):
    """the columns are dealt out in turn"""
    return torch.stack([x[..., head::num_heads] for head in range(num_heads)], dim=1)


def merge_heads__reshape(x):
    """the heads are not brought behind the length"""
    return x.contiguous().view(x.size(0), x.size(2), -1)


def parameter_count__three(d_model, num_heads, bias=True):
    """three layers are counted"""
    layers = [torch.nn.Linear(d_model, d_model, bias=bias) for _ in range(3)]
    return sum(each.numel() for layer in layers for each in layer.parameters())


def attention_flops__all_queries(query_length, key_length, d_model, num_heads):
    """all four projections are counted with query_length rows"""
    total = 0
    for _ in range(4):
        total += query_length * d_model**2
    for _ in range(num_heads):
        total += 2 * query_length * key_length * (d_model // num_heads)
    return total


def parameter_count__one_bias(d_model, num_heads, bias=True):
    """one bias is counted for all four layers"""
    return torch.nn.Linear(d_model, 4 * d_model, bias=False).weight.numel() + (d_model if bias else 0)
