"""The directive `course-map`: the units as a picture that leads to their chapters.

It draws two pictures of the same map, one three units wide and one a single column for a narrow screen; the
style sheet shows one of them. A part begins in a row of its own, below its caption.
"""

import html
import itertools

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from transformer_course.common import units
from transformer_course.common.units import PARTS, Part, Unit

WIDTH, HEIGHT, GAP_X, GAP_Y, CAPTION = 236, 96, 24, 34, 44


class CourseMapNode(nodes.General, nodes.Element):
    """The place of the map in a page; drawn when the page is written, which tells how links begin."""


class CourseMap(SphinxDirective):
    """`{course-map}` takes neither arguments nor content."""

    def run(self) -> list[nodes.Node]:
        """Leave a node to be drawn later."""
        self.env.note_dependency(units.__file__)
        return [CourseMapNode()]


def _places(parts: tuple[Part, ...], columns: int) -> tuple[list[list[tuple[int, int]]], list[int], int]:
    """Return the upper left corners of each part's units, the line of each caption, and the height of all.

    Odd rows run from right to left, as an ox ploughs, and a part begins in a row of its own.
    """
    corners, captions, y = [], [], 2
    for part in parts:
        captions.append(y + CAPTION // 2)
        y += CAPTION
        own = []
        for i in range(len(part.units)):
            row, column = divmod(i, columns)
            column = columns - 1 - column if row % 2 else column
            own.append((2 + column * (WIDTH + GAP_X), y + row * (HEIGHT + GAP_Y)))
        corners.append(own)
        y += -(-len(part.units) // columns) * (HEIGHT + GAP_Y)
    return corners, captions, y - GAP_Y + 2


def _way(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the arrow from a unit to the next one, as SVG."""
    (x, y), (to_x, to_y) = start, end
    if y == to_y:
        sign = 1 if to_x > x else -1
        left, right = (x + WIDTH, to_x) if sign > 0 else (x, to_x + WIDTH)
        middle = y + HEIGHT // 2
        line, tip = (
            f"M{left} {middle}H{right - 2 * sign}",
            f"M{right - 9 * sign} {middle - 6}l{7 * sign} 6l{-7 * sign} 6",
        )
    else:
        middle = x + WIDTH // 2
        line, tip = f"M{middle} {y + HEIGHT}V{to_y - 2}", f"M{middle - 6} {to_y - 9}l6 7l6 -7"
    return f'<path class="way" d="{line}{tip}"/>'


def _box(unit: Unit, corner: tuple[int, int], link: str) -> str:
    """Return the picture of one unit, as SVG."""
    x, y = corner
    texts = [f'<text class="number" x="{x + 16}" y="{y + 40}">{unit.number}</text>']
    top = y + 40 - 10 * (len(unit.lines) - 1)
    for k, line in enumerate(unit.lines):
        texts.append(f'<text class="title" x="{x + 58}" y="{top + 20 * k}">{html.escape(line)}</text>')
    texts.append(
        f'<text class="adds" x="{x + 58}" y="{top + 20 * len(unit.lines) + 4}">{html.escape(unit.adds)}</text>'
    )
    for k, mark in enumerate(("read", "solved")):  # shown by _static/marks.js, and part of the name while shown
        texts.append(f'<text class="tick {mark}" x="{x + 58 + 54 * k}" y="{y + HEIGHT - 6}">✓ {mark}</text>')
    shape = f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="10"/>'
    link = f'href="{html.escape(link)}" data-unit="{unit.number:02}"'
    return f"<a {link}>{shape}{' '.join(texts)}</a>"  # its name is its texts


def draw_map(links: dict[str, str], columns: int, parts: tuple[Part, ...] = PARTS) -> str:
    """Draw the map.

    Args:
        links: from the file name of a chapter to its address, relative to the page.
        columns: units beside each other.
        parts: the parts of the course.

    Returns:
        An SVG element for a page of HTML.
    """
    corners, captions, height = _places(parts, columns)
    width = columns * (WIDTH + GAP_X) - GAP_X + 4
    ways = "".join(_way(*pair) for own in corners for pair in itertools.pairwise(own))
    boxes = "".join(
        _box(unit, corner, links[unit.name])
        for part, own in zip(parts, corners, strict=True)
        for unit, corner in zip(part.units, own, strict=True)
    )
    heads = "".join(
        f'<text class="part" x="4" y="{y}">{html.escape(part.caption)}</text>'
        for part, y in zip(parts, captions, strict=True)
    )
    return (
        f'<svg class="course-map columns-{columns}" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="Map of the course: {sum(len(part.units) for part in parts)} units, each built on the one before">'
        f"{ways}{heads}{boxes}</svg>"
    )


def visit_map(translator, node: CourseMapNode) -> None:
    """Write both pictures."""
    builder = translator.builder
    here = builder.current_docname
    links = {unit.name: builder.get_relative_uri(here, f"book/{unit.name}") for part in PARTS for unit in part.units}
    translator.body.append(draw_map(links, 3) + draw_map(links, 1) + "\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_node(CourseMapNode, html=(visit_map, None))
    app.add_directive("course-map", CourseMap)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
