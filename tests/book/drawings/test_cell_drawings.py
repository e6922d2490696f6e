"""The numbers in the drawing of a GRU cell, against torch's; and that the drawings say in words what they show."""

import re

import pytest
import torch

from drawings import cell_drawings, leak_drawings, role_drawings

DRAWINGS = (
    cell_drawings.gru_cell,
    cell_drawings.lstm_cell,
    leak_drawings.forgotten_shift,
    role_drawings.three_roles,
    role_drawings.route_of_a_batch,
)


def test_the_cell_computes_what_torch_computes():
    drawn = [
        float(number.replace("\u2212", "-"))
        for number in re.findall(r">(\u2212?0\.\d\d)<", cell_drawings.gru_cell().svg())
    ]
    cell = torch.nn.GRUCell(1, 1)
    with torch.no_grad():
        for parameter in cell.parameters():
            parameter.zero_()
        sums = cell_drawings.STEP
        cell.bias_ih[:] = torch.tensor([sums["for r"], sums["for z"], sums["from word"]])
        cell.bias_hh[2] = sums["from state"]
        new = cell(torch.zeros(1, 1), torch.tensor([[sums["h"]]])).item()
    r, z = torch.tensor([sums["for r"], sums["for z"]]).sigmoid().tolist()
    n = torch.tensor(sums["from word"] + r * sums["from state"]).tanh().item()
    assert drawn == pytest.approx([sums["h"], r, z, n, new], abs=0.0051)


def test_what_the_three_roles_fetch_is_what_torch_computes():
    drawn = re.findall(r">(\.\d\d)<", role_drawings.three_roles().svg())
    query, key, value = (
        torch.tensor(m)[None] for m in (role_drawings.W_QUERY, role_drawings.W_KEY, role_drawings.W_VALUE)
    )
    output = torch.nn.functional.scaled_dot_product_attention(query, key, value)[0]  # X is the identity
    weights = torch.nn.functional.scaled_dot_product_attention(query, key, torch.eye(3)[None])[0]
    expected = [*query.flatten().tolist()[2:] * 2, *weights.flatten().tolist(), *output.flatten().tolist()]
    assert [float(number) for number in drawn] == pytest.approx(expected, abs=0.0051)


@pytest.mark.parametrize("draw", DRAWINGS)
def test_drawings(draw):
    drawing = draw()
    assert len(drawing._repr_html_().encode()) < 20_000
    assert len(drawing.alt.split()) > 10


def test_a_phone_stacks_the_panels_of_the_leak():
    assert leak_drawings.forgotten_shift().svg().count("<svg") == 3
    assert all(draw().width <= 480 for draw in DRAWINGS if draw is not leak_drawings.forgotten_shift)
