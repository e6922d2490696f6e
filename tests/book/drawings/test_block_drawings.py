"""The drawings of chapters 09 and 10 can be drawn, small enough and with words for who cannot see them."""

import xml.etree.ElementTree as ElementTree

import pytest

from drawings import block_drawings

DRAWINGS = (
    block_drawings.stream_through_a_stack,
    block_drawings.pre_and_post_norm,
    block_drawings.encoder_and_decoder_block,
    block_drawings.training_flow,
    block_drawings.forward_on_a_sentence,
)


@pytest.mark.parametrize("draw", DRAWINGS, ids=lambda draw: draw.__name__)
def test_a_drawing_is_whole_and_small(draw):
    drawing = draw()
    assert len(drawing.alt) > 100
    assert len(drawing._repr_html_().encode()) < 20_000
    picture = ElementTree.fromstring(drawing.svg())  # well formed
    assert "svg" in [element.tag.split("}")[-1] for element in picture.iter()]


def test_the_forward_pass_has_a_caption_for_each_step():
    assert repr(block_drawings.forward_on_a_sentence()).count("\n") == 6
