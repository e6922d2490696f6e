"""The known mistakes of exercise 02, each as code with the mistake would compute it."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.reporting import Mistake

LOOK = "work out one word with a state of one number by hand, and compare gate by gate"


def gru_mistakes(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor):
    """Wrong states after one word."""
    word, state = F.linear(x, weight_ih, bias_ih).chunk(3, -1), F.linear(hidden, weight_hh, bias_hh).chunk(3, -1)
    plain = F.linear(hidden, weight_hh).chunk(3, -1)
    bias = bias_hh.chunk(3)

    def after(r: int = 0, z: int = 1, n: int = 2, **other: Tensor) -> Tensor:
        reset, update = torch.sigmoid(word[r] + state[r]), torch.sigmoid(word[z] + state[z])
        reset, update = other.get("reset", reset), other.get("update", update)
        candidate = other.get("candidate", torch.tanh(word[n] + reset * state[n]))
        return (1 - update) * candidate + update * hidden

    reset, update = torch.sigmoid(word[0] + state[0]), torch.sigmoid(word[1] + state[1])
    candidate = torch.tanh(word[2] + reset * state[2])
    inner = F.linear(reset * hidden, weight_hh.chunk(3)[2], bias[2])
    return [
        Mistake(
            update * candidate + (1 - update) * hidden,
            "the update gate keeps what it should replace",
            "`update` and `1 - update` change places. Papers differ here; torch's update gate says what is kept",
            "with an update gate of 1 the state must stay as it is",
        ),
        Mistake(
            after(1, 0), "reset and update gate are exchanged", "the blocks are read in the order update, reset", LOOK
        ),
        Mistake(after(2, 1, 0), "reset gate and candidate are exchanged", "the blocks are read from the end", LOOK),
        Mistake(after(0, 2, 1), "update gate and candidate are exchanged", "the order of the three blocks", LOOK),
        Mistake(
            after(candidate=torch.tanh(word[2] + inner)),
            "the reset gate is applied to the state before the matrix product",
            "the form of the first paper; torch applies it after the product, to the bias too",
            "compare the formula of the candidate with your line",
        ),
        Mistake(
            after(candidate=torch.tanh(word[2] + reset * plain[2] + bias[2])),
            "the reset gate does not reach the bias",
            "`bias_hh` is added after the product with the reset gate",
            "compare the formula of the candidate with your line",
        ),
        Mistake(
            after(candidate=torch.tanh(word[2] + state[2])),
            "the reset gate has no influence",
            "the candidate is computed without `reset`",
            "compare the formula of the candidate with your line",
        ),
        Mistake(
            after(candidate=torch.sigmoid(word[2] + reset * state[2])),
            "the candidate lies between 0 and 1",
            "sigmoid in the place of tanh",
            "only gates are between 0 and 1",
        ),
        Mistake(candidate, "the state is the candidate alone", "the update gate is not used", LOOK),
        Mistake(
            after(reset=torch.sigmoid(word[0] + plain[0]), update=torch.sigmoid(word[1] + plain[1])),
            "`bias_hh` is missing in the gates",
            "only one of the two biases is added",
            "torch has two biases, and adds both",
        ),
    ]


def final_mistakes(embedded: Tensor, lengths: Tensor, cell: Callable, hidden: Tensor, right: Tensor) -> list[Mistake]:
    """Wrong final states."""
    state, states = hidden, []
    for position in range(embedded.shape[1]):
        state = cell(embedded[:, position], state)
        states.append(state)
    alone = torch.stack(states, 1)
    rows = torch.arange(len(lengths))
    return [
        Mistake(
            state,
            "the final state is that after the padding",
            "the loop reads the padding too",
            "a sentence that has ended keeps its state",
        ),
        Mistake(
            alone[rows, (lengths - 2).clamp(min=0)],
            "the final state is the one before the last word",
            "off by one: the last word of a sentence stands at `length - 1`",
            "print the state after each word of the shortest sentence",
        ),
        Mistake(
            alone[rows, lengths.clamp(max=embedded.shape[1] - 1)],
            "the final state is one word too late",
            "off by one: the last word of a sentence stands at `length - 1`",
            "print the state after each word of the shortest sentence",
        ),
        Mistake(
            right.masked_fill((lengths < embedded.shape[1]).unsqueeze(1), 0.0),
            "the final state of a sentence with padding is 0",
            "the state itself is set to 0 at padding, or the last column of the outputs is returned",
            "outputs are 0 past the end; the final state is not",
        ),
    ]
