"""The predictions of exercise 17: what grows how, when a text is twice as long."""

import torch
from torch.utils.flop_counter import FlopCounterMode

from course_checks.predictions import Predictions
from transformer_course.common.memory import Memory

WORDS = ("stays", "doubles", "quadruples")
WIDTH, BLOCK, WINDOW = 16, 32, 32


def _whole(query, key, value):
    return (query @ key.T / WIDTH**0.5).softmax(-1) @ value


def _blocks(query, key, value):
    total = mixed = 0.0
    for keys, values in zip(key.split(BLOCK), value.split(BLOCK), strict=True):
        weights = (query @ keys.T / WIDTH**0.5).exp()
        total, mixed = total + weights.sum(-1, keepdim=True), mixed + weights @ values
    return mixed / total


def _window(query, key, value):
    starts = range(0, len(query), BLOCK)
    parts = ((query[i : i + BLOCK], *(x[max(0, i - WINDOW) : i + BLOCK] for x in (key, value))) for i in starts)
    return torch.cat([_whole(*part) for part in parts])


def _count(attend, length):
    """Count the bytes of the largest moment, and the products."""
    draw = [torch.randn(length, WIDTH, generator=torch.Generator().manual_seed(seed)) for seed in range(3)]
    with torch.no_grad(), Memory(*draw) as memory:
        attend(*draw)
    with torch.no_grad(), FlopCounterMode(display=False) as products:
        attend(*draw)
    return memory.peak, products.get_total_flops()


def growth(short: float, long: float) -> str:
    """Say in one of the words how a number grew, give or take a quarter."""
    return min(WORDS, key=lambda word: abs(long / short - 2 ** WORDS.index(word)))


def _measure() -> list[str]:
    short, long = ({attend: _count(attend, length) for attend in (_whole, _blocks, _window)} for length in (512, 1024))
    cached = [min(length, WINDOW) for length in (512, 1024)]
    return [
        growth(short[_whole][0], long[_whole][0]),
        growth(short[_blocks][0], long[_blocks][0]),
        growth(short[_blocks][1], long[_blocks][1]),
        growth(short[_window][1], long[_window][1]),
        growth(*cached),
    ]


predictions = Predictions(
    ("memory, all at once", "memory, in blocks", "products, in blocks", "products, window", "cache, window"),
    _measure,
    "the cell below task 9",
    WORDS,
)
