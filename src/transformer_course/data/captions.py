"""Captions of the built-in scenes: what stands there, from left to right, and how high. One caption is right.

Chapter 16. ``a small red cross above a large blue circle beside a small yellow square``: four words for an object, and
between two neighbours one word for where the left one is, seen from the right one. ``beside`` is the same row.
"""

import torch
from torch import Tensor

from transformer_course.common.tokens import BOS, EOS, PAD, Vocabulary
from transformer_course.data.scenes import COLOURS, MAX_OBJECTS, NOTHING, SHAPES, SIZES, Scenes

RELATIONS = ("above", "beside", "below")
CAPTION_WORDS = Vocabulary(["a", *SIZES, *COLOURS, *SHAPES, *RELATIONS])
PARTS = ("article", "size", "colour", "shape", "relation")
"""What the words of a caption are, in turn."""

CAPTION_LENGTH = 1 + len(PARTS) * MAX_OBJECTS
"""Tokens of the longest caption, BOS and EOS included."""


def caption_tokens(scenes: Scenes) -> Tensor:
    """Write the captions.

    Args:
        scenes: as from :func:`~transformer_course.data.scenes.draw_scenes`.

    Returns:
        Token ids ``(batch, CAPTION_LENGTH)``, long, from BOS to EOS, then PAD.
    """
    present = scenes.present
    to_the_right = torch.where(present[:, 1:], scenes.rows[:, 1:], NOTHING)  # (batch, objects - 1)
    relations = _ids(RELATIONS)[(scenes.rows[:, :-1] - to_the_right).sign() + 1]  # rows are counted from the top
    relations = torch.where(present[:, 1:], relations, EOS)
    relations = torch.cat([relations, torch.full((len(scenes), 1), EOS)], dim=1)  # (batch, objects)
    parts = (
        torch.full_like(scenes.sizes, CAPTION_WORDS.ids["a"]),
        _ids(SIZES)[scenes.sizes],
        _ids(COLOURS)[scenes.colours],
        _ids(SHAPES)[scenes.shapes],
        relations,
    )
    words = torch.stack(parts, dim=2)  # (batch, objects, parts)
    words = torch.where(present[:, :, None], words, PAD).flatten(1)  # (batch, 20)
    return torch.cat([torch.full((len(scenes), 1), BOS), words], dim=1)


def caption_words(scenes: Scenes) -> list[list[str]]:
    """Write the captions as lists of words, without BOS and EOS.

    >>> from transformer_course.data.scenes import draw_scenes
    >>> scenes = draw_scenes(1, "train", torch.Generator().manual_seed(3), num_objects=2)
    >>> " ".join(caption_words(scenes)[0])
    'a small red square below a large green cross'
    """
    return [CAPTION_WORDS.decode(row) for row in caption_tokens(scenes).tolist()]


def word_objects(scenes: Scenes) -> Tensor:
    """Say which objects each word of a caption speaks of.

    Size, colour and shape speak of their own object, a relation of its two neighbours. The article says nothing that
    stands in one place, nor does EOS.

    Args:
        scenes: as for :func:`caption_tokens`.

    Returns:
        ``(batch, CAPTION_LENGTH - 1, objects)``, bool; position t belongs to token t + 1 of the caption, the one that
        is predicted when token t has been read.
    """
    own = torch.eye(MAX_OBJECTS, dtype=torch.bool)
    after = torch.roll(own, 1, dims=1)
    after[-1] = False
    nothing = torch.zeros_like(own)
    parts = torch.stack([nothing, own, own, own, own | after], dim=1)  # (objects, parts, objects)
    speaks = parts.flatten(0, 1)[None] & scenes.present[:, None, :]  # (batch, 20, objects)
    tokens = caption_tokens(scenes)[:, 1:]
    is_word = (tokens != PAD) & (tokens != EOS)
    return speaks & is_word[:, :, None]


def _ids(words: tuple[str, ...]) -> Tensor:
    return torch.tensor([CAPTION_WORDS.ids[word] for word in words])
