"""Two states of one plot with a switch between them, in HTML and CSS without a script. On paper both are shown."""

import base64
import io
import re
from html import escape

from transformer_course.common import plots

_STYLE = (
    ".switched>label{font-weight:600;cursor:pointer;margin-left:.4em}.switched>input{cursor:pointer}"
    ".switched>.on,.switched>:checked~.off{display:none}.switched>:checked~.on{display:block}"
    "@media print{.switched>input,.switched>label{display:none}.switched>.off,.switched>.on{display:block!important}}"
)


class Switched:
    """A plot in two states, shown by Jupyter and the book with a switch that is off at first.

    Args:
        label: what switching on does; two switches of one page need two labels.
        off: the plot at first, with its alt text.
        on: the plot when it is switched on, with its alt text.

    Raises:
        ValueError: if the label or an alt text is empty.
    """

    def __init__(self, label: str, off: tuple[plots.Figure, str], on: tuple[plots.Figure, str]):
        for name, words in (("label", label), ("off", off[1]), ("on", on[1])):
            if not words.strip():
                raise ValueError(f"{name}: expected words, got none")
        self._label = label
        self._states = {name: (_address(figure), alt) for name, (figure, alt) in (("off", off), ("on", on))}

    def __repr__(self) -> str:
        return "\n".join([self._states["off"][1], f"{self._label}:", self._states["on"][1]])

    def _repr_html_(self) -> str:
        name = "switch-" + re.sub(r"\W+", "-", self._label.lower())
        states = "".join(
            f'<div class="{state}"><img src="{address}" alt="{escape(alt)}"></div>'
            for state, (address, alt) in self._states.items()
        )
        return (
            f'<div class="switched"><style>{_STYLE}</style><input type="checkbox" role="switch" id="{name}">'
            f'<label for="{name}">{escape(self._label)}</label>{states}</div>'
        )


def _address(figure: plots.Figure) -> str:
    """Return a plot as an address that holds it; the plot is closed, so that a cell does not show it again."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", bbox_inches="tight", pad_inches=0.03, metadata=plots.SVG_METADATA)
    plots.plt.close(figure)
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
