"""The script of a reader's marks (`_static/marks.js`), on the chapters and on the page of the map alone.

A chapter gets a box to tick at its end, and the map shows what is ticked. The script is told which page it is on; what
it adds is not there without it, nor in the PDF and the slides, which are made of the pages as they are written.
"""

from docutils import nodes
from sphinx.application import Sphinx

from transformer_course.common.units import UNITS

NUMBERS = {f"book/{unit.name}": f"{unit.number:02}" for unit in UNITS}


def _add_script(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    if pagename in NUMBERS:
        here = app.builder.get_relative_uri(pagename, app.config.root_doc)
        app.add_js_file("marks.js", loading_method="defer", **{"data-unit": NUMBERS[pagename], "data-map": here})
    elif pagename == app.config.root_doc:
        app.add_js_file("marks.js", loading_method="defer")


def setup(app: Sphinx) -> dict:
    """Connect to Sphinx."""
    app.connect("html-page-context", _add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
