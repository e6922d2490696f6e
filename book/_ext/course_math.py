"""Formulas as HTML and MathML, made by KaTeX while the book is built.

The reader's browser runs no script for mathematics, fetches none, and nothing moves while a page loads.
A formula that KaTeX does not understand is a Sphinx warning with its place, so `-W` fails the build.
The script comes with the package sphinxcontrib-katex; style sheet and fonts of the same version are in _static/katex.
"""

import atexit
import functools
import html
import json
import re
from importlib import metadata
from pathlib import Path

from docutils import nodes
from py_mini_racer import MiniRacer
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

KATEX = Path(str(metadata.distribution("sphinxcontrib-katex").locate_file("sphinxcontrib/katex.min.js")))
NUMBERED = re.compile(r"\\(begin|end)\{(align|gather|equation|alignat)\}")

logger = logging.getLogger(__name__)


@functools.lru_cache(1)
def _engine() -> MiniRacer:
    engine = MiniRacer()
    atexit.register(engine.close)  # with Python 3.13 a program with an open engine never ends
    engine.eval(KATEX.read_text("utf8"))
    engine.eval(
        "function render(tex, options) {"
        "  options.trust = (use) => use.command === '\\\\htmlClass';"  # the roles' colours, and nothing else
        "  options.strict = (code) => code === 'htmlExtension' ? 'ignore' : 'error';"
        "  try { return JSON.stringify({html: katex.renderToString(tex, options)}) }"
        "  catch (error) { return JSON.stringify({error: error.message}) } }"
    )
    return engine


@functools.cache
def render_tex(tex: str, display: bool, macros: str) -> dict[str, str]:
    """Render one formula.

    Args:
        tex: the formula in TeX.
        display: True for a formula on its own lines.
        macros: JSON of a dict from a macro to its TeX.

    Returns:
        A dict with the key "html", or "error" with KaTeX's message.
    """
    options = {
        "displayMode": display,
        "throwOnError": True,
        "output": "htmlAndMathml",
        "macros": json.loads(macros),
    }
    return json.loads(_engine().eval(f"render({json.dumps(tex)}, {json.dumps(options)})"))


def _html(translator, node: nodes.Element, tex: str, display: bool) -> str:
    result = render_tex(tex, display, json.dumps(translator.builder.config.course_math_macros))
    if "error" in result:
        logger.warning("%s in %r", result["error"], tex, location=node, type="course", subtype="tex")
        return f"<code>{html.escape(tex)}</code>"
    return result["html"]


class KeepMarks(SphinxPostTransform):
    """Keep the mark behind a formula on the formula's line: a browser may break between them."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Wrap each formula that a mark follows, together with the mark."""
        for formula in list(self.document.findall(nodes.math)):
            parent, place = formula.parent, formula.parent.index(formula)
            text = parent[place + 1] if place + 1 < len(parent) else None
            is_short = len(formula.astext()) < 30  # a long one needs its own breaks on a phone
            if is_short and isinstance(text, nodes.Text) and text.astext()[:1] in tuple(".,;:!?)"):
                mark, rest = nodes.Text(text.astext()[0]), nodes.Text(text.astext()[1:])
                together = nodes.inline("", "", formula.deepcopy(), mark, classes=["unbroken"])
                parent[place : place + 2] = [together, rest]


def visit_math(translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    translator.body.append(translator.starttag(node, "span", "", CLASS="math"))
    translator.body.append(_html(translator, node, node.astext(), display=False) + "</span>")
    raise nodes.SkipNode


def visit_displaymath(translator, node: nodes.math_block) -> None:
    """Write a formula on its own lines, with the number that Sphinx gives the block."""
    # Sphinx numbers the block as a whole, so KaTeX must not number its lines as well.
    tex = NUMBERED.sub(r"\\\1{\2*}", node.astext().strip())
    if "\\\\" in tex and not tex.startswith("\\begin"):
        tex = f"\\begin{{aligned}}{tex}\\end{{aligned}}"
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    # A wide formula scrolls in its own box, which the keyboard must reach.
    formula = _html(translator, node, tex, display=True)
    translator.body.append(formula.replace('class="katex-display"', 'class="katex-display" tabindex="0"', 1))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    """Register the renderer that `html_math_renderer: katex_static` in _config.yml chooses."""
    app.add_config_value("course_math_macros", {}, "env")
    app.add_html_math_renderer("katex_static", (visit_math, None), (visit_displaymath, None))
    app.add_post_transform(KeepMarks)
    app.add_css_file("katex/katex.min.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
