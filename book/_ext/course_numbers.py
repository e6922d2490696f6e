"""A chapter's number is its unit's number, whichever chapters exist.

Sphinx counts the chapters of the table of contents. While chapters are missing, unit 04 would be chapter 1
and its figures 1.1, 1.2. Here the number comes from the name: `book/04_...` is chapter 4, its figures and
equations are 4.1, 4.2.
"""

import copy
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx_external_toc.collectors import TocTreeCollectorWithStyles as Collector

UNIT = re.compile(r"book/(\d\d)_\w+$")


def unit_number(docname: str) -> int | None:
    """Return 4 for "book/04_scaled_dot_product_attention", None for a page that is no unit's chapter."""
    match = UNIT.match(docname)
    return int(match[1]) if match else None


def _renumber(env: BuildEnvironment, docname: str, number: int) -> None:
    sections = env.toc_secnumbers[docname]
    for anchor, old in sections.items():
        if old:
            sections[anchor] = (number, *old[1:])
    for node in (env.titles[docname], *env.tocs[docname].findall(nodes.reference)):
        if node.get("secnumber"):
            node["secnumber"] = [number, *node["secnumber"][1:]]


def _wrap_sections(original):
    def assign_section_numbers(self, env: BuildEnvironment) -> list[str]:
        before = copy.deepcopy(env.toc_secnumbers)
        original(self, env)
        for docname in env.toc_secnumbers:
            if number := unit_number(docname):
                _renumber(env, docname, number)
        return [name for name, sections in env.toc_secnumbers.items() if sections != before.get(name)]

    return assign_section_numbers


def _wrap_figures(original):
    def assign_figure_numbers(self, env: BuildEnvironment) -> list[str]:
        # Sections carry no number of their own; a figure inside one still counts in its chapter.
        kept = env.toc_secnumbers
        env.toc_secnumbers = {
            name: {anchor: number or sections.get("") for anchor, number in sections.items()}
            for name, sections in kept.items()
        }
        try:
            return original(self, env)
        finally:
            env.toc_secnumbers = kept

    return assign_figure_numbers


def _install(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    if not hasattr(Collector, "numbers_are_units"):
        Collector.numbers_are_units = True  # one process may build twice
        Collector.assign_section_numbers = _wrap_sections(Collector.assign_section_numbers)
        Collector.assign_figure_numbers = _wrap_figures(Collector.assign_figure_numbers)


def setup(app: Sphinx) -> dict:
    """Wrap Sphinx's numbering once every other extension has done so."""
    app.connect("env-before-read-docs", _install)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
