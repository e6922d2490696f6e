"""Text as HTML for the pages that people read: messages with labelled lines, and Markdown with formulas.

Nothing in it can act: HTML in Markdown is shown as it is written, but for a fold that is opened and closed; links that
run something are left as text, those that lead nowhere from here become their text, pictures are left out, and formulas
become MathML, which a browser draws without a script or a font.
"""

import atexit
import functools
import json
import re
from html import escape
from importlib import metadata
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from py_mini_racer import MiniRacer

_LABEL = re.compile(r"^ {1,8}([a-z][a-z ]{1,20}): +(\S.*)$")
_FOLD = re.compile(r"^<details>\s*<summary>([^\n]*?)</summary>[ \t]*$", re.M)
_FOLD_END = re.compile(r"^</details>[ \t]*$", re.M)
_ADDRESS = re.compile(r"(https?://|mailto:)", re.I)
LONGEST = 10_000  # characters of a text that is read as Markdown, whose reader takes the square of their time
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
    """Return a cell of Markdown as HTML, with its formulas and its folds; as it was written where it is too long."""
    if len(text) > LONGEST:
        return as_written(text)
    made, end = [], 0
    for fold in _FOLD.finditer(text):
        if fold.start() < end:
            continue
        closed = _FOLD_END.search(text, fold.end())
        if closed is None:
            break
        made.append(_reader().render(text[end : fold.start()]))
        summary, inside = _reader().renderInline(fold[1]), _reader().render(text[fold.end() : closed.start()])
        made.append(f"<details><summary>{summary}</summary>\n{inside}</details>\n")
        end = closed.end()
    return "".join(made) + _reader().render(text[end:])


def as_written(text: str) -> str:
    """Return a text with its line breaks, without reading it as Markdown."""
    return f"<pre>{escape(text)}</pre>"


@functools.lru_cache(1)
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    reader.disable(["image", "reference"])  # addresses at another place cost the square of their number
    reader.use(dollarmath_plugin, renderer=lambda tex, options: formula(tex, options["display_mode"]))
    reader.core.ruler.push("dead_links", _without_dead_links)
    return reader.use(amsmath_plugin, renderer=lambda tex: formula(tex, True))


def _without_dead_links(state: StateCore) -> None:
    """Leave of a link into the course, which a page on its own does not reach, its text."""
    for block in state.tokens:
        kept, is_dead = [], False
        for token in block.children or ():
            if token.type == "link_open":
                is_dead = not _ADDRESS.match(str(token.attrGet("href")))
            if not (is_dead and token.type in ("link_open", "link_close")):
                kept.append(token)
        block.children = kept if block.children is not None else None


@functools.lru_cache(1)
def _engine() -> MiniRacer:
    engine = MiniRacer()
    atexit.register(engine.close)  # with Python 3.13 a program with an open engine never ends
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
