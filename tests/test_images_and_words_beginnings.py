"""Unit 16: how a caption model begins, its sizes where nothing is said, and what else is refused."""

import pytest
import torch

from transformer_course.images_and_words import (
    CaptionModel,
    contrastive_loss,
    gold_regions,
    joint_mask,
    joint_sequence,
    pointing_mass,
)

WEIGHTS, REGIONS = torch.full((1, 1, 2, 3), 1 / 3), torch.ones(1, 2, 3, dtype=torch.bool)
TOKENS, VECTORS = torch.tensor([[5, 6]]), torch.eye(2)


def test_the_vectors_of_rows_and_columns_begin_with_a_standard_deviation_of_a_half():
    torch.manual_seed(0)
    model = CaptionModel(64, 2, 1, 9, d_model=400)
    assert model.rows.std().item() == pytest.approx(0.5, rel=0.05)
    assert model.columns.std().item() == pytest.approx(0.5, rel=0.05)


def test_where_nothing_is_said_every_patch_is_in_the_memory():
    model = CaptionModel(8, 4, 3, 9)
    assert model.encode(torch.zeros(1, 3, 8, 8)).shape == (1, 4, 64)
    assert [len(model.encoder_blocks), len(model.decoder_blocks), model.embedding.max_length] == [2, 2, 32]
    block = model.decoder_blocks[0]
    assert [block.self_attention.num_heads, block.feed_forward.linear_1.out_features] == [4, 128]
    assert model.dropout.p == block.dropout.p == 0.0
    assert block.norm_first


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CaptionModel(8, 4, 1, 9, d_model=-4), "d_model: expected an integer of at least 1, got -4"),
        (lambda: CaptionModel(8, 4, 1, 9).encode(torch.ones(1, 1, 8, 8).long()), "images: expected a floating dtype"),
        (lambda: CaptionModel(0, 1, 1, 9), "image_size: expected an integer of at least 1, got 0"),
        (lambda: CaptionModel(8, 4, 0, 9), "channels: expected an integer of at least 1, got 0"),
        (lambda: CaptionModel(8, 4, 1, 9, num_layers=0), "num_layers: expected an integer of at least 1, got 0"),
        (lambda: CaptionModel(8, 3, 1, 9), "patch: expected a divisor of image_size = 8, got 3"),
        (
            lambda: CaptionModel(8, 4, 1, 9).encode(torch.zeros(1, 1, 8, 4)),
            r"images: expected shape \(batch, 1, 8, 8\)",
        ),
        (lambda: joint_mask(TOKENS[0], 2), r"tokens: expected shape \(batch, m\), got \(2,\)"),
        (lambda: joint_mask(TOKENS.float(), 2), "tokens: expected an integer dtype, got torch.float32"),
        (lambda: joint_mask(TOKENS, -1), "num_patches: expected an integer of at least 0, got -1"),
        (lambda: joint_sequence(VECTORS, VECTORS, VECTORS), r"text: expected shape \(batch, m, d_model\)"),
        (lambda: gold_regions(torch.zeros(1, 4, 4).long(), 2, -1), "num_objects: expected an integer of at least 0"),
        (lambda: pointing_mass(WEIGHTS, REGIONS[:, :1]), r"regions: expected shape \(1, 2, 3\), got \(1, 1, 3\)"),
        (lambda: contrastive_loss(VECTORS.long(), VECTORS, 1.0), "image_vectors: expected a floating dtype"),
        (lambda: contrastive_loss(VECTORS, VECTORS.long(), 1.0), "text_vectors: expected a floating dtype"),
        (lambda: contrastive_loss(VECTORS, VECTORS[:1], 1.0), r"text_vectors: expected shape \(2, 2\), got \(1, 2\)"),
        (lambda: contrastive_loss(VECTORS[:0], VECTORS[:0], 1.0), "batch: expected an integer of at least 1, got 0"),
        (lambda: contrastive_loss(VECTORS, VECTORS, 0.0), "temperature: expected a positive number, got 0.0"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
