"""The directive `unit-modules`: the reference of each unit's module, for the units that there are."""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from transformer_course.common import units

SECTION = """\
### {unit.label}

```{{eval-rst}}
.. automodule:: transformer_course.{unit.slug}
   :members:
   :member-order: bysource
```
"""


class UnitModules(SphinxDirective):
    """`{unit-modules}` takes neither arguments nor content."""

    def run(self) -> list[nodes.Node]:
        """Add one section for each unit to the section of the page in which the directive stands."""
        self.env.note_dependency(units.__file__)
        text = "\n".join(SECTION.format(unit=unit) for unit in units.UNITS)
        # MyST itself puts a section where its level belongs on the page, and nothing into the node that it is given.
        self.state.nested_parse(StringList(text.splitlines()), self.content_offset, nodes.Element(), match_titles=True)
        return []


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_directive("unit-modules", UnitModules)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
