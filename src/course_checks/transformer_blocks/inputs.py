"""What the checks of exercise 09 hand to the learner's code: stacks of torch's blocks, and parts for a block."""

import torch
from torch import nn

from course_checks.modules import give_weights


def stack(depth, norm_first=False, kind=nn.TransformerEncoderLayer):
    """Make blocks of torch of width 16, with known weights."""
    blocks = [kind(16, 2, 24, 0.0, batch_first=True, norm_first=norm_first) for _ in range(depth)]
    for number, block in enumerate(blocks):
        give_weights(block, f"block {number}", size=0.2)
    return blocks


def norm(x):
    """Normalise without gain and shift."""
    return torch.nn.functional.layer_norm(x, x.shape[-1:])


def norm_1(x):
    """Normalise with a gain and a shift that tell it apart."""
    return 1.5 * norm(x) + 0.3


def norm_2(x):
    """Normalise with another gain and shift."""
    return 0.7 * norm(x) - 0.2


def attend(x):
    """Mix the words."""
    return x.cumsum(1).sin()


def think(x):
    """Mix the features of a word."""
    return x.roll(1, -1).tanh()


def halved(x):
    """Take the place of dropout: everything that goes through it is halved."""
    return x / 2


def nothing(x):
    """Take the place of dropout that drops everything."""
    return 0 * x
