"""The units of the course, in order: the one list from which everything that names all of them is made.

Importing it needs nothing but the standard library. `tools/units.py` writes what no program reads at the right time,
the table of the README and the contents of the book; everything else asks here.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """One chapter, its exercise and its module.

    Attributes:
        number: its place in the course, from 1.
        slug: name of the module, and with the number in front of the chapter and of the exercise.
        lines: the title, in one line or two, as the map of the course breaks it.
        adds: a few words for the map on what is new.
        lesson: for syllabi, what it is about.
        if_short: for the schedule of those who have a week for two units, what they may leave out.
        packages: other people's packages with an answer ready, which are not there while the unit is graded.
    """

    number: int
    slug: str
    lines: tuple[str, ...]
    adds: str
    lesson: str
    if_short: str = ""
    packages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Give the name of its folders and of its chapter, such as ``06_masking``."""
        return f"{self.number:02}_{self.slug}"

    @property
    def title(self) -> str:
        """Give the title in one line."""
        return " ".join(self.lines)

    @property
    def label(self) -> str:
        """Give the title with the number in front, such as ``06 Masking``."""
        return f"{self.number:02} {self.title}"


@dataclass(frozen=True)
class Part:
    """Units that stand together in the contents of the book, under a caption."""

    caption: str
    units: tuple[Unit, ...]


PARTS = (
    Part(
        "From RNN to Transformer",
        (
            Unit(
                1,
                "sequence_transduction",
                ("Sequence", "transduction"),
                adds="from P(y|x) to a loss",
                lesson="the probability of a sentence as a product, and the loss that trains it",
            ),
            Unit(
                2,
                "rnn_encoder_decoder",
                ("The RNN", "encoder–decoder"),
                adds="one vector for a sentence",
                lesson="an encoder and a decoder with one vector between them, and where that fails",
                if_short="of 02 leave tasks 5 and 6 (the beam)",
            ),
            Unit(
                3,
                "rnn_attention",
                ("Attention", "in RNNs"),
                adds="look back at every word",
                lesson="additive and dot-product attention, and alignments that nobody taught",
                if_short="of 03 leave task 2 (the dot-product score)",
            ),
            Unit(
                4,
                "scaled_dot_product_attention",
                ("Scaled dot-product", "attention"),
                adds="a soft dictionary",
                lesson="softmax, scaled dot-product attention, and what it cannot do",
            ),
            Unit(
                5,
                "softmax_jacobian",
                ("The Jacobian", "of softmax"),
                adds="why scores are scaled",
                lesson="why the scores are divided by √dₖ, and the limits of that",
                if_short="of 05 read the first four sections, and do tasks 1 and 2",
            ),
            Unit(
                6,
                "masking",
                ("Masking",),
                adds="what may be seen",
                lesson="padding and causal masks, and how to find a leak",
            ),
            Unit(
                7,
                "multi_head_attention",
                ("Multi-head", "attention"),
                adds="several lookups at once",
                lesson="several attentions for the price of one",
                if_short="of 07 leave tasks 4 and 5 (the counts)",
            ),
            Unit(
                8,
                "positional_encoding",
                ("Positional", "encoding"),
                adds="order, as rotations",
                lesson="word order, which attention does not see",
            ),
            Unit(
                9,
                "transformer_blocks",
                ("Encoder and", "decoder blocks"),
                adds="norms and residuals",
                lesson="residual connections and layer norm: why a deep stack trains",
                if_short="of 09 do tasks 1 to 3; notebook 10 takes the library's blocks",
            ),
            Unit(
                10,
                "transformer",
                ("The Transformer",),
                adds="assembled and trained",
                lesson="the whole model, trained",
            ),
            Unit(
                11,
                "decoding",
                ("Decoding",),
                adds="beams, caches, BLEU",
                lesson="beam search, sampling, BLEU, and a cache of keys and values",
                if_short="leave the experiment of 11 (task 5) or of 12 (task 6), with the written answer about it",
                packages=("sacrebleu", "nltk", "torchmetrics", "torcheval"),
            ),
            Unit(
                12,
                "inside_attention",
                ("Looking inside", "attention"),
                adds="what the heads do",
                lesson="what attention maps show, and what they do not",
            ),
        ),
    ),
    Part(
        "Beyond translation: GPT, BERT, ViT",
        (
            Unit(
                13,
                "language_model",
                ("Language", "models: GPT"),
                adds="the next token, always",
                lesson="GPT as the encoder under a causal mask, compared with n-grams",
                if_short="of 13 leave task 7 (the induction heads)",
            ),
            Unit(
                14,
                "masked_language_model",
                ("Masked language", "models: BERT"),
                adds="gaps to fill, both ways",
                lesson="BERT: pretraining on masked words, probing and fine-tuning",
            ),
            Unit(
                15,
                "vision_transformer",
                ("Vision", "Transformers"),
                adds="pictures as sequences",
                lesson="a picture read as a sequence of patches, and what the model does not know of space",
                if_short="of 15 leave task 3 (back to a picture)",
            ),
            Unit(
                16,
                "images_and_words",
                ("Vision–language", "models"),
                adds="captions and questions",
                lesson="a picture as the memory of a writer, and what its attention does not show",
                if_short="of 16 do tasks 1 to 5 (the captions)",
            ),
            Unit(
                17,
                "efficient_attention",
                ("Efficient", "attention"),
                adds="long texts, little memory",
                lesson="the same result in blocks, without the map, and what the cheaper attentions give up",
                if_short="of 17 leave the section on the backward pass, and let torch's checkpoint do it in task 2",
            ),
            Unit(
                18,
                "modern_transformer",
                ("Modern Transformer", "blocks: Llama"),
                adds="what changed since 2017",
                lesson="four changes in the block, and published weights in the course's own models",
                if_short="of 18 leave task 7 (the translator)",
                packages=("transformers",),
            ),
        ),
    ),
)
UNITS = tuple(unit for part in PARTS for unit in part.units)
SLUGS = tuple(unit.slug for unit in UNITS)
