"""Wrong answers, written otherwise than those that the checks hold: exercise 13."""

import torch


def next_token_batch__not_shifted(tokens, starts, length):
    """the labels are the inputs"""
    pieces = torch.stack([tokens[int(start) : int(start) + length] for start in starts])
    return pieces, pieces.clone()
