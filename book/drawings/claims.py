"""Sentences of a page that depend on how a network happened to learn, each with the condition that makes it true.

Mathematics is asserted. What a trained network does can come out otherwise on another processor; a page is made all
the same, and a note beside the sentence says so. In the continuous integration a false claim ends the build.
"""

import os
from html import escape

from IPython.display import display

BEGINNING = "On this machine it came out otherwise"


class Note:
    """What stands beside a sentence that is not true here: a box in a page, a line elsewhere."""

    def __init__(self, sentence: str):
        self._sentence = sentence

    def __repr__(self) -> str:
        return f"{BEGINNING} than the text says: {self._sentence}"

    def _repr_html_(self) -> str:
        return (
            f'<aside class="claim-note" role="note"><strong>{BEGINNING}</strong> than the text says. '
            f"It says: {escape(self._sentence)}. What networks learn, and which kernels run, can differ with the "
            "processor and the version of PyTorch.</aside>"
        )


def claim(sentence: str, condition: bool) -> None:
    """Hold a sentence of the page against what came out.

    The cell must show its outputs, and stand beside the sentence.

    Args:
        sentence: what the page says, without a full stop.
        condition: whether it is true in this run.

    Raises:
        AssertionError: if it is not, where the environment variable CI is set, as on a forge.
    """
    if condition:
        return
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise AssertionError(f"the text says: {sentence}")
    display(Note(sentence))
