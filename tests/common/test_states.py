"""States of every form, changed tensor by tensor."""

import collections

import pytest
import torch

from transformer_course.common.states import map_tensors, require_rows

Pair = collections.namedtuple("Pair", "first second")


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (torch.tensor(1), 2),
        ((torch.tensor(1), torch.tensor(2)), (2, 3)),
        ([torch.tensor(1)], [2]),
        ({"a": torch.tensor(1), "b": [torch.tensor(2), ()]}, {"a": 2, "b": [3, ()]}),
        (Pair(torch.tensor(1), None), Pair(2, None)),
    ],
    ids=["tensor", "tuple", "list", "nested dict", "named tuple"],
)
def test_every_tensor_is_changed_and_the_form_stays(state, expected):
    found = map_tensors(lambda tensor: tensor.item() + 1, state)
    assert found == expected
    assert type(found) is type(expected)


def test_what_is_no_state_is_refused():
    with pytest.raises(ValueError, match="state: expected a tensor, .* got int"):
        map_tensors(lambda tensor: tensor, (torch.ones(1), 3))


def test_rows_are_counted_in_every_tensor():
    require_rows("state", (torch.zeros(2, 3), {"a": torch.zeros(2)}), 2)
    with pytest.raises(ValueError, match=r"state: expected shape \(2, 4\), got \(3, 4\)"):
        require_rows("state", (torch.zeros(2), torch.zeros(3, 4)), 2)
