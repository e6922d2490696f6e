"""Live figures of the book: each function returns an object that Jupyter and the book show as HTML.

The HTML holds a table that says the essential without JavaScript, and the data. In the book a script turns it into a
figure to play with (``book/_static/live``); elsewhere, as in a downloaded notebook, the table stays.
"""

import json
import math
from collections.abc import Sequence
from html import escape

import torch
from torch import Tensor

# Loads the figures' script where there is a book around the cell (Sphinx says where its root is), and once a page.
_LOADER = (
    '<script>{let d=document,r=d.documentElement.dataset.content_root;if(r!=null&&!d.getElementById("live-base"))'
    '{let s=d.createElement("script");s.id="live-base";s.src=r+"_static/live/base.js";d.head.append(s)}}</script>'
)


class LiveFigure:
    """A custom element with its data and its static table, shown by Jupyter through ``_repr_html_``."""

    def __init__(self, tag: str, title: str, data: dict, header: Sequence[str], rows: Sequence[Sequence], note: str):
        self.tag = tag
        self.data = {"title": title, **data}
        self._header, self._rows, self._note = header, rows, note

    def __repr__(self) -> str:
        lines = ["\t".join(map(str, row)) for row in (self._header, *self._rows)]
        return "\n".join([self.data["title"], *lines, self._note])

    def _repr_html_(self) -> str:
        # "</" would end the script element early.
        data = json.dumps(self.data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("</", "<\\/")
        head = "".join(f'<th scope="col">{escape(str(cell))}</th>' for cell in self._header)
        body = "".join(
            f'<tr><th scope="row">{escape(str(first))}</th>'
            + "".join(f"<td>{escape(str(cell))}</td>" for cell in rest)
            + "</tr>"
            for first, *rest in self._rows
        )
        return (
            f"<{self.tag}><p>{escape(self.data['title'])}</p>"
            f'<table class="dataframe"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
            f"<p>{escape(self._note)}</p>"
            f'<script type="application/json">{data}</script></{self.tag}>{_LOADER}'
        )


def scores_to_weights(
    query: Tensor | Sequence[float],
    keys: Tensor | Sequence[Sequence[float]],
    values: Tensor | Sequence[Sequence[float]],
    labels: Sequence[str] | None = None,
    temperature: float = 1.0,
) -> LiveFigure:
    """Show one query against keys in the plane: dot products, scores, weights and the weighted mean of the values.

    Source: Vaswani et al. (2017), section 3.2.1, equation 1, with the scores divided by a temperature too.

    Args:
        query: ``(2,)``, where the query starts.
        keys: ``(key_length, 2)``.
        values: ``(key_length, d_v)``; with ``d_v = 2`` they are drawn too.
        labels: one word for each key; without them k1, k2 and so on.
        temperature: where the temperature slider starts, from 1/16 to 16.

    Returns:
        The figure; numbers are rounded to four digits.

    Raises:
        ValueError: if a shape does not fit, a number is not finite, or the temperature is out of range.
    """
    query = _numbers("query", query, 1)
    keys, values = _numbers("keys", keys, 2), _numbers("values", values, 2)
    if query.shape != (2,):
        raise ValueError(f"query: expected shape (2,), a point in the plane, got {tuple(query.shape)}")
    if keys.shape[1] != 2 or not len(keys):
        raise ValueError(f"keys: expected shape (key_length, 2), points in the plane, got {tuple(keys.shape)}")
    if len(values) != len(keys) or not values.shape[1]:
        raise ValueError(f"values: expected {len(keys)} rows as in keys, got shape {tuple(values.shape)}")
    labels = _labels("labels", labels, len(keys), "k")
    if not 1 / 16 <= temperature <= 16:
        raise ValueError(f"temperature: expected a number from 1/16 to 16, got {temperature}")
    products = keys @ query  # (key_length,)
    scores = products / math.sqrt(2) / temperature
    weights = scores.softmax(-1)
    output = weights @ values  # (d_v,)
    table = zip(labels, products.tolist(), scores.tolist(), weights.tolist(), values.tolist(), strict=True)
    return LiveFigure(
        "scores-to-weights",
        "From scores to weights",
        {"query": query.tolist(), "keys": keys.tolist(), "values": values.tolist(), "labels": labels}
        | {"temperature": temperature},
        ("key", "q · k", "score", "weight", "value"),
        [(label, _number(p, 2), _number(s, 2), _number(w, 3), _vector(v, 2)) for label, p, s, w, v in table],
        f"Query {_vector(query.tolist(), 2)}, score = q · k / √2 / temperature with temperature {temperature:g}. "
        f"Output, the weighted mean of the values: {_vector(output.tolist(), 3)}.",
    )


def _numbers(name: str, data, dimensions: int) -> Tensor:
    """Return data in float64, rounded to four significant digits so that a page stays small."""
    try:
        tensor = torch.as_tensor(data, dtype=torch.float64).detach().cpu()
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(f"{name}: expected a tensor or equally long lists of numbers, got {data!r:.60}") from None
    if tensor.dim() != dimensions:
        raise ValueError(f"{name}: expected {dimensions} dimension(s), got shape {tuple(tensor.shape)}")
    if not tensor.isfinite().all():
        raise ValueError(f"{name}: expected finite numbers, got nan or infinity among them")
    rounded = [float(f"{x:.4g}") for x in tensor.flatten().tolist()]
    return torch.tensor(rounded, dtype=torch.float64).reshape(tensor.shape)


def _labels(name: str, labels: Sequence[str] | None, count: int, letter: str) -> list[str]:
    if labels is None:
        return [f"{letter}{i + 1}" for i in range(count)]
    if isinstance(labels, str) or len(labels) != count:
        raise ValueError(f"{name}: expected {count} words, got {labels!r:.60}")
    return [str(label) for label in labels]


def _vector(numbers: Sequence[float], digits: int) -> str:
    return "(" + ", ".join(_number(x, digits) for x in numbers) + ")"


def _number(x: float, digits: int) -> str:
    return f"{x:.{digits}f}".replace("-", "−")
