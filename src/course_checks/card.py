"""What a check says, as a card in a notebook: each part with a hanging indent, in light and dark.

Elsewhere the same words stay plain text: in a terminal, where the output is captured, and while nbgrader runs the
notebook, whose pages of feedback show text. The styles stand in the elements, since Jupyter drops style sheets from the
outputs of a notebook that it does not trust; they take the colours of the text around them.
"""

import os
import re
import sys
from html import escape
from typing import Any

_BOX = "border-left: 4px solid {colour}; padding: 0.3em 0.9em; margin: 0.2em 0; max-width: 52em; line-height: 1.45"
_LINE = "margin: 0.15em 0; padding-left: {indent}; text-indent: -{indent}"
_LABEL = "display: inline-block; width: {indent}; text-indent: 0; font-weight: 600"
_BAD, _GOOD = "#c8402f", "#2e8b57"
_LABELS = {"observed": "observed", "expected": "expected", "cause": "likely cause", "hint": "try"}
_passed: dict = {}  # the card of the cell that runs: `cell`, `lines`, `handle`


def ipython() -> Any:
    """Give IPython's shell; None outside of it."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def in_notebook() -> bool:
    """Say whether what is shown now appears in a notebook that a person looks at."""
    captured = not type(sys.stdout).__module__.startswith("ipykernel")
    return getattr(ipython(), "kernel", None) is not None and not captured and "NBGRADER_EXECUTION" not in os.environ


def as_html(text: str) -> str:
    """Escape a text, and set what stands between backticks as code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escape(str(text))).replace("\n", "<br>")


def _line(label: str, text: str, indent: str) -> str:
    head = f'<span style="{_LABEL.format(indent=indent)}">{escape(label)}</span>'
    return f'<div style="{_LINE.format(indent=indent)}">{head}{as_html(text)}</div>'


def failed_card(parts: dict[str, str]) -> str:
    """Return the card of a check that did not pass, as HTML.

    Args:
        parts: those of `course_checks.words.CheckFailed`; nothing in them acts.
    """
    head = f"<div><code>{escape(parts['name'])}</code>: {as_html(parts['situation'])}</div>"
    rows = "".join(_line(f"{label}:", parts[part], "8em") for part, label in _LABELS.items())
    return f'<div style="{_BOX.format(colour=_BAD)}">{head}{rows}</div>'


def passed_card(lines: list[tuple[str, str]]) -> str:
    """Return the card of what is right, as HTML: a name and a sentence for each."""
    rows = "".join(_line("passed", f"{name}: {what}", "4.5em") for name, what in lines)
    return f'<div style="{_BOX.format(colour=_GOOD)}">{rows}</div>'


def show_passed(name: str, what: str) -> None:
    """Show a line in the card of the cell that runs; a second line goes into the same card."""
    cell = ipython().execution_count
    if _passed.get("cell") != cell:
        _passed.update(cell=cell, lines=[], handle=None)
    lines = _passed["lines"]
    lines.append((name, what))
    text = "\n".join(f"passed  {each}: {said}" for each, said in lines)
    shown = {"text/html": passed_card(lines), "text/plain": text}
    if _passed["handle"] is None:
        _passed["handle"] = sys.modules["IPython"].display.display(shown, raw=True, display_id=True)
    else:
        _passed["handle"].update(shown, raw=True)


def show_failed(parts: dict[str, str], text: str) -> None:
    """Show the card of a check that did not pass, with its text for what shows no HTML."""
    sys.modules["IPython"].display.display({"text/html": failed_card(parts), "text/plain": text}, raw=True)
