"""Unit 15: the vectors with which a vision Transformer begins, and its sizes where nothing is said."""

import pytest
import torch

from transformer_course.vision_transformer import STD, VisionTransformer


def test_the_vectors_of_places_and_the_class_token_begin_equally_large():
    torch.manual_seed(0)
    model = VisionTransformer(image_size=64, patch=2, channels=1, num_classes=3, d_model=400, num_heads=4)
    assert STD == 0.5
    for vectors, std in (
        (model.class_token, STD),
        (model.class_position, STD),
        (model.rows, STD / 2**0.5),
        (model.columns, STD / 2**0.5),
        (model.positions()[1:], STD),  # the variances of a row and a column add up
    ):
        assert vectors.std().item() == pytest.approx(std, rel=0.12)


def test_where_nothing_is_said_the_model_has_the_sizes_of_its_docstring():
    model = VisionTransformer(8, 4, 3, 5)
    assert [len(model.blocks), model.head.in_features, model.head.out_features] == [2, 64, 5]
    assert model.patch.in_features == 3 * 4 * 4
    assert model.blocks[0].self_attention.num_heads == 4
    assert model.blocks[0].feed_forward.linear_1.out_features == 128
    assert model.dropout.p == model.blocks[0].dropout.p == 0.0
    assert model.blocks[0].norm_first
    assert model.blocks[0].feed_forward.activation == "gelu"
