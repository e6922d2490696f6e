"""Text as HTML for the pages that people read: messages with labelled lines, and Markdown with formulas.

Nothing in it can act: HTML in Markdown is shown as it is written, links that run something are left as text, pictures
are left out, and formulas become MathML, which a browser draws without a script or a font.
"""

import functools
import json
import re
from html import escape
from importlib import metadata
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from py_mini_racer import MiniRacer

_LABEL = re.compile(r"^ {1,8}([a-z][a-z ]{1,20}): +(\S.*)$")
_KATEX = "sphinxcontrib/katex.min.js"


def message(text: str) -> str:
    """Return what a test says as HTML; lines such as ``  observed:  it is 3`` become a list with labels.

    Args:
        text: the message of an exception, as it came from the submission's process.
    """
    paragraphs, items = [], []
    for line in text.splitlines():
        found = _LABEL.match(line)
        if found:
            items.append([found[1], found[2]])
        elif items and line.startswith(" "):
            items[-1][1] += "\n" + line.strip()
        elif line.strip():
            paragraphs.append(line)
    head = f'<p class="text">{escape(chr(10).join(paragraphs))}</p>' if paragraphs else ""
    lines = "".join(f"<dt>{escape(label)}</dt><dd>{escape(said)}</dd>" for label, said in items)
    return head + (f'<dl class="said">{lines}</dl>' if items else "")


def markdown(text: str) -> str:
    """Return a cell of Markdown as HTML, with its formulas."""
    return _reader().render(text)


@functools.lru_cache(1)
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    reader.use(dollarmath_plugin, renderer=lambda tex, options: formula(tex, options["display_mode"]))
    return reader.use(amsmath_plugin, renderer=lambda tex: formula(tex, True))


@functools.lru_cache(1)
def _engine() -> MiniRacer:
    engine = MiniRacer()
    engine.eval(Path(str(metadata.distribution("sphinxcontrib-katex").locate_file(_KATEX))).read_text("utf8"))
    return engine


@functools.lru_cache(10_000)
def formula(tex: str, display: bool) -> str:
    """Return a formula as MathML, or as it was written if it cannot be read.

    Args:
        tex: in TeX.
        display: whether it stands on its own lines.
    """
    options = json.dumps({"displayMode": display, "output": "mathml", "throwOnError": True, "maxSize": 20})
    call = f"(() => {{ try {{ return katex.renderToString({json.dumps(tex)}, {options}) }} catch {{ return '' }} }})()"
    return _engine().eval(call) or f"<code>{escape(tex)}</code>"
