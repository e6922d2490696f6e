"""Captions: read back by an independent reader they give the scene; what each word speaks of is right."""

import torch

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.data.captions import (
    CAPTION_LENGTH,
    CAPTION_WORDS,
    caption_tokens,
    caption_words,
    word_objects,
)
from transformer_course.data.scenes import SPLITS, describe, draw_scenes

HEIGHT = {"above": -1, "beside": 0, "below": 1}


def drawn(split="train", count=300):
    return draw_scenes(count, split, torch.Generator().manual_seed(5))


def read(words):
    """Read a caption: sizes, colours and shapes, and how each object's row compares with that of the next."""
    rest, objects, relations = list(words), [], []
    while rest:
        article, size, colour, shape, *rest = rest
        assert article == "a"
        objects.append((size, colour, shape))
        if rest:
            relation, *rest = rest
            relations.append(HEIGHT[relation])
    return objects, relations


def test_captions_say_what_there_is_and_nothing_else():
    for split in SPLITS:
        scenes = drawn(split)
        for words, objects in zip(caption_words(scenes), describe(scenes), strict=True):
            said, relations = read(words)
            assert said == [each[:3] for each in objects]
            rows = [row for *_, row, _ in objects]
            signs = [(left > right) - (left < right) for left, right in zip(rows, rows[1:], strict=False)]
            assert relations == signs


def test_tokens_begin_end_and_are_padded():
    scenes = drawn()
    for tokens, number in zip(caption_tokens(scenes).tolist(), scenes.num_objects.tolist(), strict=True):
        assert len(tokens) == CAPTION_LENGTH
        assert tokens[0] == BOS
        assert tokens[5 * number] == EOS
        assert set(tokens[5 * number + 1 :]) <= {PAD}
        assert EOS not in tokens[: 5 * number]


def test_what_a_word_speaks_of():
    scenes = drawn()
    tokens, speaks = caption_tokens(scenes), word_objects(scenes)
    for row, about, objects in zip(tokens.tolist(), speaks.tolist(), describe(scenes), strict=True):
        for position, (token, spoken) in enumerate(zip(row[1:], about, strict=True)):
            numbers = [number for number, spoken_of in enumerate(spoken) if spoken_of]
            if token in (PAD, EOS) or CAPTION_WORDS.words[token] == "a":
                assert numbers == []
            elif CAPTION_WORDS.words[token] in HEIGHT:
                assert position % 5 == 4
                assert numbers == [position // 5, position // 5 + 1]
            else:
                assert numbers == [position // 5]
                assert CAPTION_WORDS.words[token] in objects[position // 5]
