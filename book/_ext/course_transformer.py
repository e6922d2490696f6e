"""The directive `transformer-map`: the whole Transformer, each part of which leads to its chapter."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from drawings import drawing
from drawings.drawing import Drawing
from transformer_course.common.units import UNITS

ALT = (
    "The Transformer. Left the encoder: source words, embedding, positions, then a block with self-attention, add and "
    "norm, feed-forward, add and norm. Right the decoder: target words so far, embedding, positions, then a block with "
    "masked self-attention, cross-attention that reads the encoder's result, and feed-forward; last a linear layer "
    "and softmax, which give the next word. Every part carries the number of its chapter."
)
WIDTH, LEFT, RIGHT = 224, 36, 376  # of a part; left edge of the encoder's parts, and of the decoder's
# Each part: left edge, upper edge, height, words, role, number of its unit.
PARTS = (
    (LEFT, 566, 34, "source words", "source", 1),
    (LEFT, 512, 34, "embedding", "source", 1),
    (LEFT, 458, 34, "positions", "source", 8),
    (LEFT, 368, 44, "multi-head self-attention", "query", 7),
    (LEFT, 314, 34, "add, and norm", "plain", 9),
    (LEFT, 260, 34, "feed-forward", "state", 9),
    (LEFT, 206, 34, "add, and norm", "plain", 9),
    (RIGHT, 566, 34, "target words so far", "target", 1),
    (RIGHT, 512, 34, "embedding", "target", 1),
    (RIGHT, 458, 34, "positions", "target", 8),
    (RIGHT, 368, 44, "masked self-attention", "masked", 6),
    (RIGHT, 314, 34, "add, and norm", "plain", 9),
    (RIGHT, 250, 44, "cross-attention", "key", 3),
    (RIGHT, 196, 34, "add, norm, feed-forward", "state", 9),
    (RIGHT, 92, 34, "linear layer, softmax", "weights", 10),
    (RIGHT, 38, 34, "the next word", "target", 11),
)


class TransformerMap(nodes.General, nodes.Element):
    """The place of the picture in a page; drawn when the page is written, which tells how links begin."""


class TransformerMapDirective(SphinxDirective):
    """`{transformer-map}` takes neither arguments nor content."""

    def run(self) -> list[nodes.Node]:
        """Leave a node to be drawn later."""
        self.env.note_dependency(drawing.__file__)
        self.env.note_dependency(__file__)
        return [TransformerMap()]


def draw(links: dict[int, str]) -> Drawing:
    """Draw the picture.

    Args:
        links: from the number of a unit to the address of its chapter.
    """
    picture = Drawing(640, 616, ALT)
    for left, top, height, name in ((LEFT, 192, 234, "encoder, × N"), (RIGHT, 182, 244, "decoder, × N")):
        corners = (
            (left - 14, top),
            (left + WIDTH + 14, top),
            (left + WIDTH + 14, top + height),
            (left - 14, top + height),
        )
        for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            picture.line(x1, y1, x2, y2, dashed=True, width=1.2)
        picture.text(left - 12, top - 11, name, size=13, role="plain", anchor="start")
    for left in (LEFT, RIGHT):
        column = [part for part in PARTS if part[0] == left]
        for (_, top, *_), (_, above, height, *_) in zip(column, column[1:], strict=False):
            picture.arrow(left + WIDTH / 2, top, left + WIDTH / 2, above + height)
    way = LEFT + WIDTH / 2
    picture.line(way, 206, way, 160, role="key").line(way, 160, 318, 160, role="key")
    picture.line(318, 160, 318, 272, role="key").arrow(318, 272, RIGHT, 272, role="key")
    picture.text(way + 6, 145, "memory: keys and values", size=13, role="key", anchor="start")
    for left, top, height, words, role, number in PARTS:
        with picture.link(links[number]):
            picture.box(left, top, WIDTH, height, words, role)
            picture.text(left + 8, top + 10, f"{number:02d}", size=12, role="plain", anchor="start")
    within = (
        (4, "scaled dot-product attention, in each head"),
        (5, "why it divides by the root of d_k"),
        (12, "what the trained heads do"),
        (2, "the recurrent network that stood here before"),
    )
    for i, (number, words) in enumerate(within):
        with picture.link(links[number]):
            picture.text(20, 16 + 24 * i, f"{number:02d}", size=13, role="plain", anchor="start")
            picture.text(44, 16 + 24 * i, words, size=13, anchor="start")
    return picture


def visit_transformer_map(translator, node: TransformerMap) -> None:
    """Write the picture."""
    builder = translator.builder
    links = {
        i: builder.get_relative_uri(builder.current_docname, f"book/{unit.name}") for i, unit in enumerate(UNITS, 1)
    }
    translator.body.append(f'<figure class="transformer-map">{draw(links).svg()}</figure>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_node(TransformerMap, html=(visit_transformer_map, None))
    app.add_directive("transformer-map", TransformerMapDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
