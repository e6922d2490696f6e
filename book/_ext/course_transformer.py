"""The directive `transformer-map`: the whole Transformer, each part of which leads to its chapter."""

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from drawings import drawing
from drawings.drawing import Drawing
from transformer_course.common.units import UNITS

ALT = (
    "The Transformer, pre-norm. Left the encoder: source tokens, embedding, positions, then a block in which a norm "
    "and self-attention are added to the line that passes them, and a norm and a feed-forward network too; above the "
    "blocks a last norm, whose output is the memory. Right the decoder: target tokens so far, embedding, positions, "
    "then a block with three such sublayers: masked self-attention, cross-attention that reads the memory, and a "
    "feed-forward network; above it a last norm, a linear layer and softmax, which give the next token. Every part "
    "carries the number of its chapter."
)
WIDTH, LEFT, RIGHT = 184, 16, 256  # of a part; left edge of the encoder's parts, and of the decoder's
# Each part: left edge, upper edge, height, words, role, number of its unit. A norm is followed by its sublayer.
PARTS = (
    (LEFT, 662, 34, "source tokens", "source", 1),
    (LEFT, 608, 34, "embedding", "source", 1),
    (LEFT, 554, 34, "positions", "source", 8),
    (LEFT, 498, 26, "norm", "plain", 9),
    (LEFT, 448, 36, "multi-head attention", "query", 7),
    (LEFT, 392, 26, "norm", "plain", 9),
    (LEFT, 342, 36, "feed-forward network", "state", 9),
    (LEFT, 278, 26, "norm", "plain", 9),
    (RIGHT, 662, 34, "target tokens so far", "target", 1),
    (RIGHT, 608, 34, "embedding", "target", 1),
    (RIGHT, 554, 34, "positions", "target", 8),
    (RIGHT, 498, 26, "norm", "plain", 9),
    (RIGHT, 448, 36, "masked self-attention", "masked", 6),
    (RIGHT, 392, 26, "norm", "plain", 9),
    (RIGHT, 342, 36, "cross-attention", "key", 3),
    (RIGHT, 286, 26, "norm", "plain", 9),
    (RIGHT, 236, 36, "feed-forward network", "state", 9),
    (RIGHT, 172, 26, "norm", "plain", 9),
    (RIGHT, 112, 34, "linear layer, softmax", "weights", 10),
    (RIGHT, 58, 34, "the next token", "target", 11),
)
SUBLAYERS = [i for i, part in enumerate(PARTS) if part[2] == 36]  # each is added to the line that passes it


class TransformerMap(nodes.General, nodes.Element):
    """The place of the picture in a page; drawn when the page is written, which tells how links begin."""


class TransformerMapDirective(SphinxDirective):
    """`{transformer-map}`; its content is the caption, its option `name` the figure's label."""

    has_content = True
    option_spec = {"name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Leave a figure whose picture is drawn later."""
        self.env.note_dependency(drawing.__file__)
        self.env.note_dependency(__file__)
        figure = nodes.figure("", TransformerMap(), classes=["transformer-map"])
        if self.content:
            words, messages = self.state.inline_text(" ".join(self.content), self.lineno)
            figure += nodes.caption("", "", *words, *messages)
        self.set_source_info(figure)
        self.add_name(figure)
        return [figure]


def draw(links: dict[int, str]) -> Drawing:
    """Draw the picture.

    Args:
        links: from the number of a unit to the address of its chapter.
    """
    picture = Drawing(456, 712, ALT)
    for left, top, height, name in ((LEFT, 316, 226, "encoder, × N"), (RIGHT, 210, 332, "decoder, × N")):
        corners = (
            (left - 14, top),
            (left + WIDTH + 14, top),
            (left + WIDTH + 14, top + height),
            (left - 14, top + height),
        )
        for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            picture.line(x1, y1, x2, y2, dashed=True, width=1.2)
        picture.text(left - 8, top + 12, name, size=13, role="plain", anchor="start")
    for left in (LEFT, RIGHT):
        column = [part for part in PARTS if part[0] == left]
        for (_, top, *_), (_, above, height, *_) in zip(column, column[1:], strict=False):
            picture.arrow(left + WIDTH / 2, top, left + WIDTH / 2, above + height)
    for i in SUBLAYERS:  # the residual stream, past the norm and into the addition behind the sublayer
        left, top, height, *_ = PARTS[i]
        below = PARTS[i - 1][1] + PARTS[i - 1][2] + 5
        middle, side, plus = left + WIDTH / 2, left + WIDTH + 7, top - 11
        picture.line(middle, below, side, below, role="state", width=3)
        picture.line(side, below, side, plus, role="state", width=3)
        picture.arrow(side, plus, middle + 8, plus, role="state", width=3)
        picture.box(middle - 8, plus - 8, 16, 16, "+", role="strong", size=13, bold=True)
    way = LEFT + WIDTH / 2
    between = (LEFT + WIDTH + RIGHT) / 2
    picture.line(way, 278, way, 252, role="key").line(way, 252, between, 252, role="key")
    picture.line(between, 252, between, 360, role="key").arrow(between, 360, RIGHT, 360, role="key")
    picture.text(LEFT, 238, "memory: keys and values", size=13, role="key", anchor="start")
    for left, top, height, words, role, number in PARTS:
        with picture.link(links[number]):
            picture.box(left, top, WIDTH, height, "", role)
            picture.text(left + 8, top + height / 2, str(number), size=12, role="plain", anchor="start")
            picture.text(left + 11 + WIDTH / 2, top + height / 2, words, size=14)
    within = (
        (4, "scaled dot-product attention"),
        (5, "why it divides by √d_k"),
        (12, "what trained heads do"),
        (2, "the RNN that this replaces"),
    )
    picture.text(LEFT, 16, "not drawn:", size=13, role="plain", anchor="start")
    for i, (number, words) in enumerate(within, 1):
        with picture.link(links[number]):
            picture.text(LEFT, 16 + 24 * i, str(number), size=13, role="plain", anchor="start")
            picture.text(LEFT + 24, 16 + 24 * i, words, size=13, anchor="start")
    return picture


def visit_transformer_map(translator, node: TransformerMap) -> None:
    """Write the picture."""
    builder = translator.builder
    links = {
        i: builder.get_relative_uri(builder.current_docname, f"book/{unit.name}") for i, unit in enumerate(UNITS, 1)
    }
    translator.body.append(f"{draw(links).svg()}\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_node(TransformerMap, html=(visit_transformer_map, None))
    app.add_directive("transformer-map", TransformerMapDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
