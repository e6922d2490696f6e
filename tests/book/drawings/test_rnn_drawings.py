"""The numbers in the drawings of chapters 01 and 02, against numbers from elsewhere."""

import re

import pytest
import torch
from torch.nn import functional as F

from drawings import rnn_drawings


def test_the_smoothed_label_is_the_one_of_torch():
    drawn = [float(number) for number in re.findall(r">(0\.\d\d)<", rnn_drawings.smoothed_label().svg())]
    logits = torch.zeros(1, 5, requires_grad=True)
    F.cross_entropy(logits, torch.tensor([2]), label_smoothing=0.4).backward()
    assert drawn == pytest.approx((0.2 - logits.grad[0]).tolist())  # the gradient is p - q, and p is one fifth


def test_the_tree_holds_every_beginning_with_its_probability():
    shares = {"": {"A": 0.4, "B": 0.6}, "A": {"B": 0.1, "EOS": 0.9}, "B": {"A": 0.5, "B": 0.4, "EOS": 0.1}}
    text = rnn_drawings.beam_tree().svg()
    for first, share in shares[""].items():
        for second, then in shares[first].items():
            assert f"{first} {second}  {share * then:.2f}" in text


def test_the_gated_states_are_those_of_torch():
    drawn = [
        float(number.replace("\u2212", "-"))
        for number in re.findall(r">(\u2212?0\.\d\d)<", rnn_drawings.gates_over_time().svg())
    ]
    cell = torch.nn.GRUCell(1, 2)
    expected = []
    for entry in (1, 2):
        state = torch.zeros(1, 2)
        for _, *gates in rnn_drawings.GATED:
            z, n = gates[entry - 1]
            with torch.no_grad():  # no weights: the biases alone are what sigma and tanh get
                for parameter in cell.parameters():
                    parameter.zero_()
                cell.bias_ih[2:4] = torch.tensor(z).logit()
                cell.bias_ih[4:6] = torch.tensor(n).atanh()
                state = cell(torch.zeros(1, 1), state)
            expected += [z, state[0, 0].item()]
    assert drawn == pytest.approx(expected, abs=0.0051)


@pytest.mark.parametrize("name", ["teacher_forcing", "beam_tree"])
def test_what_moves_has_a_caption_for_each_step(name):
    shown = getattr(rnn_drawings, name)()._repr_html_()
    assert shown.count("<li>") == shown.count("data-from=") >= 5
