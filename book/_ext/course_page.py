"""What a page carries around its text that no setting gives: a description, its notebook, a button to open it.

Code is written line by line, so that a phone can wrap each line and move in what follows. A name in a table may break
behind its underscores, and nowhere else.
"""

import html
import json
import re
from pathlib import Path

from docutils import nodes
from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

LOCAL_JUPYTER = "http://localhost:8888/lab/tree/"  # where `make lab` serves the folder of the course
TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
NAME = re.compile(r'<span class="pre">[^<]*_[^<]*</span>')
HTML_CLASS = re.compile(r"\\htmlClass\{[^}]*\}\{#1\}")  # a colour of the book, which Jupyter does not have
UNHELPFUL = (
    ' aria-label="Toggle hidden content"',  # hides the words of a <summary> from a screen reader
    ' role="doc-biblioentry"',  # docutils writes it on a <div>, where it is not allowed
    ' role="list"',  # docutils writes it around the entries, which are no list items
)


class _Lines(HtmlFormatter):
    def wrap(self, source):
        """Put each line into an element of its own."""
        lines = ((kind, f'<span class="line">{line}</span>' if kind == 1 else line) for kind, line in source)
        return super().wrap(lines)


def _description(doctree: nodes.document) -> str:
    """Return the first paragraph of a page, cut at a word, for search engines and links that show a preview."""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section | nodes.document):
            text = " ".join(node.astext() for node in paragraph.children if not isinstance(node, nodes.math))
            text = " ".join(text.split())
            return text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + " ..."
    return ""


def _describe(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    tags = context.get("metatags") or ""
    description = (_description(doctree) if doctree else "") or f"{context.get('title', '')}: {app.config.html_title}"
    if 'name="description"' not in tags:
        context["metatags"] = f'{tags}\n<meta name="description" content="{html.escape(description)}">'
    if "body" in context:
        context["body"] = TABLE.sub(lambda table: NAME.sub(_breakable, table[0]), context["body"])
        for attribute in UNHELPFUL:
            context["body"] = context["body"].replace(attribute, "")


def _breakable(name: re.Match) -> str:
    """Allow a line to end behind an underscore inside a name."""
    return re.sub(r"(?<=[a-z0-9])_(?=[a-z0-9])", "_<wbr>", name[0], flags=re.IGNORECASE)


def _offer_notebook(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put a chapter's executed notebook beside its source, which makes the theme offer it for download."""
    notebook = Path(app.outdir).parent / "jupyter_execute" / f"{pagename}.ipynb"
    if pagename.startswith("book/") and doctree and notebook.is_file():
        target = Path(app.outdir) / "_sources" / f"{pagename}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        content = json.loads(notebook.read_text("utf8"))
        _define_macros(content["cells"], app.config.course_math_macros)
        target.write_text(json.dumps(content, indent=1, ensure_ascii=False), "utf8")
        context["ipynb_source"] = f"{pagename}.ipynb"


def _define_macros(cells: list[dict], macros: dict[str, str]) -> None:
    """Tell a Jupyter that knows no macros of ours what they stand for, in the first cell of text."""
    first = next((cell for cell in cells if cell["cell_type"] == "markdown"), None)
    if first is not None:
        defined = "".join(
            rf"\newcommand{{{name}}}{'[1]' if '#1' in tex else ''}{{{HTML_CLASS.sub('#1', tex)}}}"
            for name, tex in macros.items()
        )
        first["source"] = [f"${defined}$\n\n", *first["source"]]


def _launch(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Launch exercises in the reader's own JupyterLab first; a chapter is read, or downloaded."""
    buttons = context["header_buttons"]
    groups = [button for button in buttons if button.get("label") == "launch-buttons"]
    if not pagename.startswith("exercises/"):
        context["header_buttons"] = [button for button in buttons if button not in groups]
        return
    local = {
        "type": "link",
        "text": "JupyterLab here (make lab)",
        "tooltip": "Open in the JupyterLab that make lab has started on this computer",
        "icon": "fas fa-rocket",
        "url": f"{LOCAL_JUPYTER}{pagename}.ipynb",
    }
    if groups:
        groups[0]["buttons"].insert(0, local)
    else:
        group = {"type": "group", "tooltip": "Open the exercise", "icon": "fas fa-rocket", "label": "launch-buttons"}
        buttons.insert(0, group | {"buttons": [local]})


def setup(app: Sphinx) -> dict:
    """Connect to Sphinx; the numbers put a step before or after the theme's own, which run at 500 and 501."""
    PygmentsBridge.html_formatter = _Lines  # the place that Sphinx has for another formatter
    app.connect("html-page-context", _offer_notebook, priority=500)
    app.connect("html-page-context", _launch, priority=600)
    app.connect("html-page-context", _describe, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
