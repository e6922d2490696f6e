"""The directive `downloads`: the book as a PDF, the slides and the questions, as links where they are beside it.

`make release` makes these files and sets the variable COURSE_DOWNLOADS of the environment while it builds the book, so
that the links lead somewhere; any other book names the commands that make them. The page is read anew in every build.
"""

import os

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

# What it is, where it lies beside the book, and the command that makes it.
FILES = (
    ("The book as one PDF", "attention.pdf", "make pdf"),
    ("Slides for each chapter, with notes", "slides/index.html", "make slides"),
    ("The questions for Moodle", "questions/moodle.xml", "make questions"),
)


class Downloads(SphinxDirective):
    """`{downloads}` takes neither arguments nor content."""

    def run(self) -> list[nodes.Node]:
        """Make the list."""
        self.env.course_downloads = getattr(self.env, "course_downloads", set()) | {self.env.docname}
        up = "../" * self.env.docname.count("/")
        items = nodes.bullet_list()
        for title, place, command in FILES:
            line = nodes.paragraph()
            if os.environ.get("COURSE_DOWNLOADS"):
                line += nodes.reference("", title, refuri=f"{up}downloads/{place}", internal=False)
            else:
                line += [nodes.Text(f"{title}: "), nodes.literal(text=command)]
            items += nodes.list_item("", line)
        return [items]


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_directive("downloads", Downloads)
    app.connect("env-get-outdated", lambda app, env, *_: sorted(getattr(env, "course_downloads", ())))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
