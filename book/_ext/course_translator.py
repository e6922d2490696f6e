"""The directive `translator`: chapter 10's Transformer in the page, to translate with and to change.

What a page shows before anybody touches it, and without JavaScript, is computed here with the same weights.
"""

import functools
from pathlib import Path

import torch
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from drawings.live_figure import LiveFigure
from experiments.page_translator.page_weights import FILES, read_page_weights
from transformer_course.common.tokens import BOS
from transformer_course.common.units import UNITS
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.training.models import Translator

LIVE = Path(__file__).parents[1] / "_static" / "live"
SWITCHES = {"positions": 8, "scale": 5, "mask": 6, "head": 12, "residual": 9}
SHOWN = ("heads", *SWITCHES, "how", "patch")
TITLE = "A Transformer in this page"
SENTENCE, OTHER = "the cat looks for an apple .", "the cat looks for an egg ."
# It begins at "une", with the head that experiments/page_translator found to carry the gender of articles.
POSITION, LAYER, HEAD = 3, 1, 3
INVITATION = "What will become of “une” if this head attends to “cat”? Pull its bar to the right."
EXAMPLES = (
    SENTENCE,
    "the women who love my hats will not go to the market .",
    "does your old uncle sing ?",
    "Emma never found the green key .",
    "an elephant with a red hat fell behind the church .",
    "why did the king open these big doors ?",
    "we love the songs that the queen always sings .",
    "she will give an apple to the small boy .",
)
NUM_LIKELY = 5  # words whose probability is shown


class TranslatorNode(nodes.General, nodes.Element):
    """The place of the figure in a page; written when the page is, which tells how links begin."""


class TranslatorDirective(SphinxDirective):
    """`{translator}`, with options and without content.

    `show`: what of `SHOWN` the figure offers, all but "how" and "patch" where nothing is said. `sentence`: the one that
    it begins with. `other`: the sentence that a patched head reads. `title`: what stands above it.
    """

    option_spec = {
        "show": directives.unchanged,
        "sentence": directives.unchanged,
        "other": directives.unchanged,
        "title": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Leave a node to be written later."""
        self.env.note_dependency(str(LIVE / FILES[0]))
        self.env.note_dependency(__file__)
        show = self.options.get("show", " ".join(("heads", *SWITCHES))).split()
        unknown = set(show) - set(SHOWN)
        if unknown:
            raise self.error(f"translator: expected some of {', '.join(SHOWN)}, got {', '.join(sorted(unknown))}")
        options = {name: self.options.get(name, default) for name, default in
                   (("sentence", SENTENCE), ("other", OTHER), ("title", TITLE))}  # fmt: skip
        return [TranslatorNode(show=show, **options)]


@functools.cache
def _translator() -> Translator:
    return read_page_weights(LIVE)


@functools.cache
def opening(sentence: str) -> dict:
    """Translate a sentence, and return what the figure shows of it before the model is there.

    Args:
        sentence: English words and marks with spaces between them.

    Returns:
        ``source`` and ``written``, words with EOS at the end; ``rows``, for each written word its weights by layer and
        head (``cross``, ``self``), its probability ``p`` and the likeliest words (``top``).

    Raises:
        ValueError: if it has a word that the translator does not know.
    """
    translator, words = _translator(), sentence.split()
    strange = [word for word in words if word not in translator.source_vocabulary]
    if strange:
        raise ValueError(f"sentence: expected words that the translator knows, got {', '.join(strange)}")
    written = translator.translate([words])[0]
    ids = translator.target_vocabulary.encode(written)
    source, target = translator.source([words]), torch.tensor([[BOS, *ids]])
    with torch.no_grad(), AttentionRecorder(translator.model) as recorder:
        likely = translator.model(source, target)[0].softmax(dim=-1)  # (m + 1, vocab_size)
    cross = recorder.stack("cross_attention")  # (layers, heads, m + 1, n + 1)
    own = torch.stack([each.weights[0] for each in recorder.maps if "decoder" in each.name and "self" in each.name])
    rows = []
    for i, chances in enumerate(likely):
        best = chances.topk(NUM_LIKELY)
        top = [[translator.target_vocabulary.words[j], round(p, 4)]
               for p, j in zip(best.values.tolist(), best.indices.tolist(), strict=True)]  # fmt: skip
        rows.append(
            {"cross": _short(cross[:, :, i]), "self": _short(own[:, :, i, : i + 1]), "p": top[0][1], "top": top}
        )
    return {"source": [*words, "EOS"], "written": [*written, "EOS"], "rows": rows}


def _short(maps: torch.Tensor) -> list:
    return [[[round(x, 3) for x in weights] for weights in layer] for layer in maps.tolist()]


def figure(show: list[str], sentence: str, other: str, title: str, chapters: dict[int, dict[str, str]]) -> LiveFigure:
    """Return the figure: its data, and the table that stands in its place without JavaScript.

    Args:
        show: what it offers, of ``SHOWN``.
        sentence: the one that it begins with.
        other: the one that a patched head reads.
        title: what stands above it.
        chapters: address and title of the chapters to which the switches belong.
    """
    begin = opening(sentence)
    mean = [torch.tensor(row["cross"]).mean(dim=(0, 1)) for row in begin["rows"]]
    rows = [
        (word, begin["source"][int(weights.argmax())], f"{weights.max():.2f}", f"{row['p']:.2f}")
        for word, weights, row in zip(begin["written"], mean, begin["rows"], strict=True)
    ]
    first = (sentence, *(each for each in EXAMPLES if each != sentence))
    return LiveFigure(
        "translator-figure",
        title,
        {
            "show": show,
            "sentence": sentence,
            "position": POSITION,
            "layer": LAYER,
            "head": HEAD,
            "invitation": INVITATION if sentence == SENTENCE else "",
            "other": other,
            "examples": first,
            "chapters": chapters,
            **begin,
        },
        ("French word", "attends most to", "weight", "probability"),
        rows,
        f"“{sentence}” read and translated by a Transformer; weights are the mean of all its heads.",
    )


def visit_translator(translator, node: TranslatorNode) -> None:
    """Write the figure."""
    builder = translator.builder
    chapters = {
        number: {
            "url": builder.get_relative_uri(builder.current_docname, f"book/{unit.name}"),
            "title": unit.title,
        }
        for number, unit in enumerate(UNITS, 1)
        if number in SWITCHES.values()
    }
    made = figure(node["show"], node["sentence"], node["other"], node["title"], chapters)
    translator.body.append(made._repr_html_() + "\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_node(TranslatorNode, html=(visit_translator, None))
    app.add_directive("translator", TranslatorDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
