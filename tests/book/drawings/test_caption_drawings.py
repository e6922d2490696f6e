"""Drawings of chapter 16: they hold what they should say, and pictures survive their way into the page."""

import base64
import io
import re

import pytest
import torch
from matplotlib import image as picture_files

from drawings import caption_drawings
from drawings.pixels import png_address
from transformer_course.data.captions import caption_words
from transformer_course.data.scenes import draw_scenes, paint


@pytest.fixture
def scene():
    generator = torch.Generator().manual_seed(0)
    scenes = draw_scenes(1, "train", generator, num_objects=2)
    return paint(scenes, generator)[0][0], caption_words(scenes)[0]


def test_a_png_is_read_back_by_another_program(scene):
    image, _ = scene
    address = png_address(image)
    assert address.startswith("data:image/png;base64,")
    read = torch.tensor(picture_files.imread(io.BytesIO(base64.b64decode(address.split(",")[1]))))
    torch.testing.assert_close(read.permute(2, 0, 1), image, rtol=0, atol=0.5 / 255 + 1e-6)
    with pytest.raises(ValueError, match="image: expected shape"):
        png_address(torch.zeros(40, 40))


def test_drawings_are_small_and_have_words_for_those_who_cannot_see(scene):
    image, words = scene
    look = [0.04] * 25
    drawings = [
        caption_drawings.captioned([image], [words]),
        caption_drawings.two_memories(),
        caption_drawings.mass_by_hand(image, 7, [look, look]),
        caption_drawings.who_may_know(),
        caption_drawings.meetings(),
        caption_drawings.cosine_matrix(image[None], [words], [[0.9]]),
    ]
    for drawing in drawings:
        assert len(drawing.alt) > 80
        assert len(drawing.svg()) < 20_000


def test_looking_has_a_step_for_each_word(scene):
    image, words = scene
    looks = [[0.9 if n == place else 0.1 / 24 for n in range(25)] for place in range(len(words))]
    page = caption_drawings.looking(image, words, looks)._repr_html_()
    captions = re.findall("<li>(.*?)</li>", page)
    assert len(captions) == len(words) - 1  # the article before the first object has no region
    assert captions[6] == f"{words[7]}: most weight, 0.90, lies on the patch in row 2, column 3."
    assert len(page) < 60_000
