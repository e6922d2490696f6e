"""The drawings of chapters 09 and 10 can be drawn, small enough and with words for who cannot see them."""

import xml.etree.ElementTree as ElementTree

import pytest

from drawings import block_drawings

DRAWINGS = (
    block_drawings.stream_through_a_stack,
    block_drawings.statistics_over_what,
    block_drawings.pre_and_post_norm,
    block_drawings.encoder_and_decoder_block,
    block_drawings.one_update,
)


@pytest.mark.parametrize("draw", DRAWINGS, ids=lambda draw: draw.__name__)
def test_a_drawing_is_whole_and_small(draw):
    drawing = draw()
    assert len(drawing.alt) > 100
    assert len(drawing._repr_html_().encode()) < 20_000
    picture = ElementTree.fromstring(drawing.svg())  # well formed
    assert "svg" in [element.tag.split("}")[-1] for element in picture.iter()]


def test_the_update_has_a_caption_for_each_step():
    assert repr(block_drawings.one_update()).count("\n") == 8


def test_the_loss_that_is_drawn_is_that_of_the_probabilities():
    # -ln 0.7 = 0.357, -ln 0.5 = 0.693, -ln 0.8 = 0.223, -ln 0.9 = 0.105, their mean 0.344
    assert "loss = (0.36 + 0.69 + 0.22 + 0.11) / 4 = 0.34" in block_drawings.one_update()._repr_html_()
