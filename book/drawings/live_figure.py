"""What the live figures of the book share: their HTML, and the checks and forms of their numbers."""

import json
from collections.abc import Sequence
from html import escape

import torch
from torch import Tensor

# Loads the figures' script where there is a book around the cell (Sphinx says where its root is), and once a page.
LOADER = (
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
        return "\n".join([self.data["title"], *lines, self._note]).rstrip()

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
            + (f"<p>{escape(self._note)}</p>" if self._note else "")
            + f'<script type="application/json">{data}</script></{self.tag}>{LOADER}'
        )


def integers(name: str, tensor: Tensor, dimensions: int) -> Tensor:
    """Return the tensor if it holds integers and has so many dimensions."""
    if not isinstance(tensor, Tensor) or tensor.is_floating_point() or tensor.dim() != dimensions:
        got = f"{tensor.dtype}, shape {tuple(tensor.shape)}" if isinstance(tensor, Tensor) else f"{tensor!r:.60}"
        raise ValueError(f"{name}: expected an integer tensor with {dimensions} dimensions, got {got}")
    return tensor


def rounded(name: str, data, dimensions: int) -> Tensor:
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


def words(name: str, labels: Sequence[str] | None, count: int, letter: str) -> list[str]:
    """Return labels as words, ``letter`` and a number where there are none."""
    if labels is None:
        return [f"{letter}{i + 1}" for i in range(count)]
    if isinstance(labels, str) or len(labels) != count:
        raise ValueError(f"{name}: expected {count} words, got {labels!r:.60}")
    return [str(label) for label in labels]


def vector(numbers: Sequence[float], digits: int) -> str:
    """Write numbers as ``(1.00, −2.00)``."""
    return "(" + ", ".join(number(x, digits) for x in numbers) + ")"


def number(x: float, digits: int) -> str:
    """Write a number with a true minus sign."""
    return f"{x:.{digits}f}".replace("-", "−")
