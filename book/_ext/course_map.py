"""The directive `course-map`: the units as a picture that leads to their chapters.

It draws two pictures of the same map, one three units wide and one a single column for a narrow screen; the
style sheet shows one of them.
"""

import html

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from transformer_course import units
from transformer_course.units import UNITS

WIDTH, HEIGHT, GAP_X, GAP_Y = 236, 96, 24, 34


class CourseMapNode(nodes.General, nodes.Element):
    """The place of the map in a page; drawn when the page is written, which tells how links begin."""


class CourseMap(SphinxDirective):
    """`{course-map}` takes neither arguments nor content."""

    def run(self) -> list[nodes.Node]:
        """Leave a node to be drawn later."""
        self.env.note_dependency(units.__file__)
        return [CourseMapNode()]


def _place(i: int, columns: int) -> tuple[int, int]:
    """Return the upper left corner of unit i; odd rows run from right to left, as an ox ploughs."""
    row, column = divmod(i, columns)
    if row % 2:
        column = columns - 1 - column
    return 2 + column * (WIDTH + GAP_X), 2 + row * (HEIGHT + GAP_Y)


def _way(i: int, columns: int) -> str:
    """Return the arrow from unit i to the next one, as SVG."""
    (x, y), (to_x, to_y) = _place(i, columns), _place(i + 1, columns)
    if y == to_y:
        sign = 1 if to_x > x else -1
        start, end = (x + WIDTH, to_x) if sign > 0 else (x, to_x + WIDTH)
        middle = y + HEIGHT // 2
        line, tip = f"M{start} {middle}H{end - 2 * sign}", f"M{end - 9 * sign} {middle - 6}l{7 * sign} 6l{-7 * sign} 6"
    else:
        middle = x + WIDTH // 2
        line, tip = f"M{middle} {y + HEIGHT}V{to_y - 2}", f"M{middle - 6} {to_y - 9}l6 7l6 -7"
    return f'<path class="way" d="{line}{tip}"/>'


def _box(i: int, columns: int, link: str) -> str:
    """Return the picture of one unit, as SVG."""
    title, adds = UNITS[i].lines, UNITS[i].adds
    x, y = _place(i, columns)
    texts = [f'<text class="number" x="{x + 16}" y="{y + 40}">{i + 1}</text>']
    top = y + 40 - 10 * (len(title) - 1)
    for k, line in enumerate(title):
        texts.append(f'<text class="title" x="{x + 58}" y="{top + 20 * k}">{html.escape(line)}</text>')
    texts.append(f'<text class="adds" x="{x + 58}" y="{top + 20 * len(title) + 4}">{html.escape(adds)}</text>')
    shape = f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="10"/>'
    label = html.escape(f"Unit {i + 1}: {' '.join(title)}, {adds}")
    return f'<a href="{html.escape(link)}" aria-label="{label}">{shape}{"".join(texts)}</a>'


def draw_map(links: dict[str, str], columns: int) -> str:
    """Draw the map.

    Args:
        links: from the file name of a chapter to its address, relative to the page.
        columns: units beside each other.

    Returns:
        An SVG element for a page of HTML.
    """
    rows = -(-len(UNITS) // columns)
    width, height = columns * (WIDTH + GAP_X) - GAP_X + 4, rows * (HEIGHT + GAP_Y) - GAP_Y + 4
    ways = "".join(_way(i, columns) for i in range(len(UNITS) - 1))
    boxes = "".join(_box(i, columns, links[unit.name]) for i, unit in enumerate(UNITS))
    return (
        f'<svg class="course-map columns-{columns}" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="Map of the course: {len(UNITS)} units, each built on the one before">'
        f"{ways}{boxes}</svg>"
    )


def visit_map(translator, node: CourseMapNode) -> None:
    """Write both pictures."""
    builder = translator.builder
    links = {unit.name: builder.get_relative_uri(builder.current_docname, f"book/{unit.name}") for unit in UNITS}
    translator.body.append(draw_map(links, 3) + draw_map(links, 1) + "\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_node(CourseMapNode, html=(visit_map, None))
    app.add_directive("course-map", CourseMap)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
