"""The Python side of the live figures: the table without JavaScript, the data, the errors."""

import json
import math
from html.parser import HTMLParser

import pytest
import torch
from torch.nn import functional as F

from drawings import live
from drawings.live_heads import heads_over_updates
from drawings.live_softmax import running_softmax


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


def test_softmax_jacobian_table_equals_autograd():
    generator = torch.Generator().manual_seed(0)
    products = {16: 4 * torch.randn(2, 5, generator=generator), 4: 2 * torch.randn(2, 5, generator=generator)}
    cells, data = read(live.softmax_jacobian(products))
    assert data["d_k"] == [4, 16]
    assert torch.tensor(data["products"][1]).shape == (2, 5)
    assert [row[0] for row in cells[1:]] == ["4", "16"]
    for row, d_k in zip(cells[1:], (4, 16), strict=True):
        expected = []
        for scale in (1, math.sqrt(d_k)):
            draw = products[d_k][0].double()
            jacobian = torch.autograd.functional.jacobian(lambda x: F.softmax(x, dim=-1), draw / scale)
            expected += [F.softmax(draw / scale, dim=-1).max().item(), jacobian.norm().item()]
        assert [float(cell) for cell in row[1:]] == pytest.approx(expected, rel=0.006)


def test_softmax_jacobian_takes_a_single_draw():
    _, data = read(live.softmax_jacobian({4: torch.tensor([1.0, 2.0, 3.0])}))
    assert data["products"] == [[[1.0, 2.0, 3.0]]]


X = 10 * torch.arange(3)[:, None] + torch.arange(4)
RIGHT, WRONG = X.view(3, 2, 2).transpose(0, 1), X.view(2, 3, 2)


def test_head_splitter_lists_what_each_head_holds():
    cells, data = read(live.head_splitter(X, {"right": RIGHT, "x.view(2, 3, 2)": WRONG}))
    assert cells == [
        ["code", "head 0", "head 1"],
        ["right", "0 1 / 10 11 / 20 21", "2 3 / 12 13 / 22 23"],
        ["x.view(2, 3, 2)", "0 1 / 2 3 / 10 11", "12 13 / 20 21 / 22 23"],
    ]
    assert data["x"] == [[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]
    assert data["splits"][1] == {"name": "x.view(2, 3, 2)", "heads": WRONG.tolist()}


MAP = torch.tensor([[[[0.1, 0.7, 0.2], [0.3333, 0.3333, 0.3334]]], [[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]])  # 2 layers


def test_attention_viewer_names_the_strongest_source_token():
    cells, data = read(
        live.attention_viewer(MAP, ["a", "b", "c"], ["x", "y"], [(1, 0), (1, 2), (1, 2)], title="Two words")
    )
    assert cells == [
        ["target", "attends most to", "weight", "gold"],
        ["x", "b", "0.70", ""],
        ["y", "c", "0.33", "a, c"],
    ]
    assert data["weights"][0] == [[[0.1, 0.7, 0.2], [0.333, 0.333, 0.333]]]
    assert data["alignment"] == [[1, 0], [1, 2]]
    assert data["title"] == "Two words"


@pytest.mark.parametrize("weights", [MAP[0, 0], MAP[0], MAP])
def test_attention_viewer_takes_a_map_heads_or_layers(weights):
    cells, data = read(live.attention_viewer(weights, ["a", "b", "c"], ["x", "y"]))
    layers, heads = data["weights"], data["weights"][0]
    assert (len(layers), len(heads)) == ((1, 1) if weights.dim() < 4 else (2, 1))
    assert len(cells[0]) == 3
    assert "alignment" not in data


STEPS = [
    [(["a"], -0.5, True), (["b"], -1.0, True), (["c"], -3.0, False)],
    [(["b", "</s>"], -1.25, True), (["a", "c"], -1.5, True), (["a", "b"], -2.0, False)],
    [(["a", "c", "</s>"], -1.75, True)],
]


def test_beam_stepper_finds_the_parents():
    figure = live.beam_stepper(STEPS)
    cells, data = read(figure)
    assert cells[5:] == [
        ["2", "a c", "−1.500", "kept"],
        ["2", "a b", "−2.000", "cut"],
        ["3", "a c </s>", "−1.750", "finished"],
    ]
    assert data["width"] == 2
    assert data["steps"][1] == [
        [1, "</s>", -1.25, True, True],
        [0, "c", -1.5, True, False],
        [0, "b", -2.0, False, False],
    ]
    assert data["steps"][2] == [[1, "</s>", -1.75, True, True]]


def test_position_explorer_table_equals_the_formula():
    cells, _ = read(live.position_explorer(length=30, d_model=8, positions=(4, 11)))
    for offset, product in ((int(row[0]), numbers(row[1:])[0]) for row in cells[1:]):
        expected = 0.0
        for i in range(4):
            first, second = 13 / 10_000 ** (2 * i / 8), (13 + offset) / 10_000 ** (2 * i / 8)
            expected += math.sin(first) * math.sin(second) + math.cos(first) * math.cos(second)
        assert product == pytest.approx(expected, abs=0.000501)
    assert [row[0] for row in cells[1:]] == ["0", "1", "2", "5", "7", "10", "29"]


def test_a_page_with_a_big_viewer_stays_small():
    weights = torch.softmax(torch.randn(3, 8, 20, 20, generator=torch.Generator().manual_seed(0)), dim=-1)
    page = live.attention_viewer(weights, ["token"] * 20, ["token"] * 20)._repr_html_()
    assert len(page) < 60_000  # 9600 weights of six characters


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: live.softmax_jacobian({}), "products: expected a dict from d_k to dot products"),
        (lambda: live.softmax_jacobian({0: torch.zeros(3)}), "expected d_k of at least 1, got 0"),
        (lambda: live.softmax_jacobian({1: torch.zeros(3), 2: torch.zeros(4)}), r"products\[2\]: .* got \(4,\)"),
        (lambda: live.softmax_jacobian({1: torch.zeros(1)}), r"products\[1\]: expected .* at least 2 keys"),
        (lambda: live.head_splitter(X.float(), {"a": RIGHT}), "x: expected an integer tensor with 2 dimensions, got"),
        (lambda: live.head_splitter(X // 10, {"a": RIGHT}), "x: expected integers that are all different"),
        (
            lambda: live.head_splitter(X, {"a": RIGHT[0]}),
            r"splits\['a'\]: expected an integer tensor with 3 dimensions",
        ),
        (lambda: live.head_splitter(X, {"a": RIGHT + 1}), r"splits\['a'\]: expected the numbers of x, each once"),
        (lambda: live.head_splitter(X, {}), "splits: expected a dict from code to its result"),
        (
            lambda: live.attention_viewer(MAP, ["a", "b"], ["x", "y"]),
            r"weights: .* = \(..., 2, 2\), got \(2, 1, 2, 3\)",
        ),
        (lambda: live.attention_viewer(-MAP, ["a", "b", "c"], ["x", "y"]), "weights: expected numbers from 0 to 1"),
        (lambda: live.attention_viewer(MAP[0, 0, 0], ["a", "b", "c"], ["x"]), "weights: expected .layers, heads"),
        (
            lambda: live.attention_viewer(MAP, ["a", "b", "c"], ["x", "y"], [(2, 0)]),
            r"alignment: expected links .* inside \(2, 3\), got \(2, 0\)",
        ),
        (lambda: live.beam_stepper([]), "steps: expected one or more steps, got none"),
        (lambda: live.beam_stepper([[]]), r"steps\[0\]: expected one or more candidates"),
        (
            lambda: live.beam_stepper([*STEPS[:1], [(["c", "d"], -4.0, True)]]),
            r"steps\[1\]\[0\]: expected 2 words that",
        ),
        (
            lambda: live.beam_stepper([[(["a"], -math.inf, True)]]),
            r"steps\[0\]\[0\]: expected a finite score, got -inf",
        ),
        (lambda: live.position_explorer(length=1), "length: expected 2 to 128 positions, got 1"),
        (lambda: live.position_explorer(d_model=12), "d_model: expected 2, 4, 8, 16, 32 or 64, got 12"),
        (lambda: live.position_explorer(length=10), r"positions: expected two from 0 to 9, got \(10, 20\)"),
    ],
)
def test_figure_errors(make, message):
    with pytest.raises(ValueError, match=message):
        make()


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


def test_maps_over_updates_are_kept_with_their_numbers():
    maps = torch.rand(3, 4, 4, generator=torch.Generator().manual_seed(0))
    figure = heads_over_updates((0, 25, 50), {"a": maps, "b": maps / 2}, "ABAB", {"loss": (4.0, 2.5, 0.125)})
    assert figure.data["updates"] == [0, 25, 50]
    assert figure.data["tokens"] == ["A", "B", "A", "B"]
    assert figure.data["maps"]["a"][1][2][3] == pytest.approx(maps[1, 2, 3].item(), abs=0.006)
    assert "<td>2.50</td>" in figure._repr_html_()
    for wrong in ({"maps": {"a": maps[:2]}}, {"maps": {"a": maps * 3}}, {"updates": (0, 50, 25)}, {"maps": {}},
                  {"facts": {"loss": (1.0,)}}):  # fmt: skip
        given = {"updates": (0, 25, 50), "maps": {"a": maps}, "tokens": "ABAB", "facts": {}, **wrong}
        with pytest.raises(ValueError, match="expected"):
            heads_over_updates(**given)


def test_running_softmax_ends_at_the_attention_to_all_keys():
    scores, values = [1.0, -2.0, 3.0, 0.5, 2.0], [2.0, 4.0, -1.0, 0.0, 5.0]
    cells, data = read(running_softmax(scores, values, block_size=2))
    assert [row[0] for row in cells] == ["block", "k1 k2", "k3 k4", "k5"]
    assert numbers(cells[2][1:3]) == [3.0, round(math.exp(1.0 - 3.0), 3)]
    weights = F.softmax(torch.tensor(scores), dim=0)
    assert float(cells[3][4]) == pytest.approx((weights @ torch.tensor(values)).item(), abs=0.0006)
    assert (data["scores"], data["values"], data["block"]) == (scores, values, 2)
    for wrong in ({"values": values[1:]}, {"scores": [], "values": []}, {"block_size": 6}, {"block_size": 0}):
        with pytest.raises(ValueError, match="expected"):
            running_softmax(**{"scores": scores, "values": values, **wrong})
