"""The Python side of the live figures: the table without JavaScript, the data, the errors."""

import json
import math
from html.parser import HTMLParser

import pytest
import torch
from torch.nn import functional as F

from transformer_course.common import live


class _Reader(HTMLParser):
    """Reads what a browser would: the cells of the table and the data; unclosed elements are an error."""

    def __init__(self, page: str):
        super().__init__()
        self.cells, self.data, self.scripts, self.open = [], None, [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")
        if tag == "script":
            self.scripts.append([dict(attributes), ""])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1][-1] += data
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data


def read(figure: live.LiveFigure) -> tuple[list[list[str]], dict]:
    reader = _Reader(figure._repr_html_())
    data = [text for attributes, text in reader.scripts if attributes.get("type") == "application/json"]
    assert len(data) == 1
    return reader.cells, json.loads(data[0])


def numbers(cells: list[str]) -> list[float]:
    return [float(cell.replace("−", "-")) for cell in cells]


KEYS = [[1.5, 0.5], [-0.4, 1.3], [-1.1, -0.9]]
VALUES = [[1.0], [-2.0], [4.0]]


def test_scores_to_weights_table_equals_torch():
    figure = live.scores_to_weights(torch.tensor([1.2, 0.7]), KEYS, VALUES, ["a", "<b>", "</script>"], temperature=0.5)
    cells, data = read(figure)
    query, keys, values = (torch.tensor(x, dtype=torch.float64) for x in ([[1.2, 0.7]], KEYS, VALUES))
    scale = 1 / math.sqrt(2) / 0.5
    weights = F.scaled_dot_product_attention(query, keys, torch.eye(3).double(), scale=scale)[0]
    assert [row[0] for row in cells] == ["key", "a", "<b>", "</script>"]
    assert numbers([row[1] for row in cells[1:]]) == pytest.approx((keys @ query[0]).tolist(), abs=0.00501)
    assert numbers([row[2] for row in cells[1:]]) == pytest.approx((keys @ query[0] * scale).tolist(), abs=0.00501)
    assert numbers([row[3] for row in cells[1:]]) == pytest.approx(weights.tolist(), abs=0.000501)
    output = F.scaled_dot_product_attention(query, keys, values, scale=scale).item()
    assert f"({output:.3f})".replace("-", "−") in repr(figure)
    assert (data["query"], data["keys"], data["values"]) == ([1.2, 0.7], KEYS, VALUES)
    assert (data["labels"], data["temperature"]) == (["a", "<b>", "</script>"], 0.5)


def test_numbers_are_kept_to_four_digits():
    _, data = read(live.scores_to_weights([1 / 3, 20000 / 3], [[0.0, 1e-9 / 3]], [[2 / 3]]))
    assert (data["query"], data["keys"], data["values"]) == ([0.3333, 6667.0], [[0.0, 3.333e-10]], [[0.6667]])
    assert data["labels"] == ["k1"]


def test_outside_the_book_no_script_is_asked_for():
    # A notebook is no page of the book: nothing there may be loaded by a fixed address.
    page = live.scores_to_weights([1.0, 0.0], KEYS, VALUES)._repr_html_()
    assert " src=" not in page
    assert "href=" not in page


def test_tensors_with_a_gradient_are_welcome():
    keys = torch.tensor(KEYS, dtype=torch.float32, requires_grad=True)
    _, data = read(live.scores_to_weights([1.0, 0.0], keys, VALUES))
    assert data["keys"] == KEYS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0, 3.0], KEYS, VALUES), r"query: expected shape \(2,\), a point in the plane, got \(3,\)"),
        (([1.0, 2.0], [[1.0, 2.0, 3.0]], VALUES), r"keys: expected shape \(key_length, 2\), .* got \(1, 3\)"),
        (([1.0, 2.0], KEYS, VALUES[:2]), r"values: expected 3 rows as in keys, got shape \(2, 1\)"),
        (([1.0, 2.0], KEYS, VALUES, ["a", "b"]), "labels: expected 3 words, got"),
        (([1.0, 2.0], KEYS, VALUES, "abc"), "labels: expected 3 words, got 'abc'"),
        (([1.0, math.nan], KEYS, VALUES), "query: expected finite numbers"),
        (([1.0, 2.0], [[1.0, 2.0], [3.0]], VALUES), "keys: expected a tensor or equally long lists"),
        (([1.0, 2.0], KEYS[0], VALUES), r"keys: expected 2 dimension\(s\), got shape \(2,\)"),
        (([1.0, 2.0], KEYS, VALUES, None, 0.0), "temperature: expected a number from 1/16 to 16, got 0.0"),
    ],
)
def test_scores_to_weights_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        live.scores_to_weights(*arguments)
