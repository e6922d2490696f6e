"""The Vision Transformer against torch's own unfold, convolution and encoder."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.vision_transformer import (
    VisionTransformer,
    image_to_patches,
    patches_to_image,
    prepend_class_token,
    row_column_positions,
)

SIZES = [(3, 2, 6, 8, 2), (1, 3, 4, 4, 4), (2, 1, 9, 3, 3), (4, 5, 2, 3, 1), (0, 2, 4, 6, 2)]


def draw(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)), dtype=torch.float64)


@pytest.mark.parametrize(("batch", "channels", "height", "width", "patch"), SIZES)
def test_patches_are_those_of_unfold_and_fold(batch, channels, height, width, patch):
    images = draw(batch, channels, height, width)
    patches = image_to_patches(images, patch)
    assert patches.shape == (batch, height * width // patch**2, channels * patch**2)
    if batch:
        assert_close(patches, F.unfold(images, patch, stride=patch).transpose(1, 2))
        assert_close(F.fold(patches.transpose(1, 2), (height, width), patch, stride=patch), images)
    assert torch.equal(patches_to_image(patches, channels, height, width, patch), images)


def test_patches_by_hand():
    image = torch.arange(24).view(1, 2, 2, 6)
    assert image_to_patches(image, 2)[0].tolist() == [
        [0, 1, 6, 7, 12, 13, 18, 19],
        [2, 3, 8, 9, 14, 15, 20, 21],
        [4, 5, 10, 11, 16, 17, 22, 23],
    ]


def test_a_picture_that_is_not_contiguous():
    images = draw(2, 6, 4, 3).permute(0, 3, 1, 2)
    assert_close(image_to_patches(images, 2), image_to_patches(images.contiguous(), 2))


def test_the_class_token_stands_in_front_of_every_row_and_learns_from_all():
    x, token = draw(3, 4, 5), draw(1, 1, 5).requires_grad_()
    result = prepend_class_token(x, token)
    assert result.shape == (3, 5, 5)
    assert torch.equal(result[:, 1:], x)
    assert all(torch.equal(row, token[0, 0]) for row in result[:, 0])
    result[:, 0].sum().backward()
    assert_close(token.grad, torch.full_like(token, 3))


def test_positions_at_each_place():
    rows, columns = draw(3, 4), draw(2, 4)
    places = row_column_positions(rows, columns)
    assert places.shape == (6, 4)
    for i in range(3):
        for j in range(2):
            assert_close(places[2 * i + j], rows[i] + columns[j])


def torch_model(model: VisionTransformer, images: torch.Tensor) -> torch.Tensor:
    """Compute with nn.Conv2d and nn.TransformerEncoder."""
    d_model, num_heads = model.norm.weight.shape[0], model.blocks[0].self_attention.num_heads
    patch, channels = model.patch_size, model.channels
    cut = nn.Conv2d(channels, d_model, patch, stride=patch).double()
    cut.weight.data = model.patch.weight.data.view(d_model, channels, patch, patch)
    cut.bias.data = model.patch.bias.data
    layer = nn.TransformerEncoderLayer(
        d_model, num_heads, model.blocks[0].feed_forward.linear_1.out_features, 0.0, "gelu",
        batch_first=True, norm_first=True,
    ).double()  # fmt: skip
    encoder = nn.TransformerEncoder(layer, len(model.blocks), enable_nested_tensor=False).double()
    for block, ours in zip(encoder.layers, model.blocks, strict=True):
        attention = ours.self_attention
        parts = attention.w_query, attention.w_key, attention.w_value
        block.self_attn.in_proj_weight.data = torch.cat([part.weight for part in parts])
        block.self_attn.in_proj_bias.data = torch.cat([part.bias for part in parts])
        pairs = [
            (block.self_attn.out_proj, attention.w_output),
            (block.linear1, ours.feed_forward.linear_1),
            (block.linear2, ours.feed_forward.linear_2),
            (block.norm1, ours.norm_1),
            (block.norm2, ours.norm_2),
        ]
        for theirs, own in pairs:
            theirs.weight.data, theirs.bias.data = own.weight.data, own.bias.data
    x = cut(images).flatten(2).transpose(1, 2)
    x = torch.cat([model.class_token.expand(len(x), -1, -1), x], dim=1)
    table = torch.stack([row + column for row in model.rows for column in model.columns])
    x = encoder(x + torch.cat([model.class_position, table]))
    return F.linear(F.layer_norm(x[:, 0], (d_model,), model.norm.weight, model.norm.bias),
                    model.head.weight, model.head.bias)  # fmt: skip


@pytest.mark.parametrize(("image_size", "patch", "channels", "layers"), [(6, 2, 1, 2), (8, 4, 3, 1), (3, 1, 2, 3)])
def test_it_is_a_convolution_and_an_encoder(image_size, patch, channels, layers):
    torch.manual_seed(0)
    model = VisionTransformer(image_size, patch, channels, 7, d_model=12, num_heads=3, num_layers=layers, d_ff=20)
    model = model.double().eval()
    for name, parameter in model.named_parameters():
        parameter.data = 0.4 * draw(*parameter.shape, len(name)).select(-1, 0)
    images = draw(2, channels, image_size, image_size)
    assert_close(model(images), torch_model(model, images))


def test_every_parameter_learns_and_attention_can_be_recorded():
    torch.manual_seed(0)
    model = VisionTransformer(6, 2, 1, 4, d_model=8, num_heads=2)
    images = torch.rand(3, 1, 6, 6)
    with AttentionRecorder(model) as recorder:
        model(images).square().sum().backward()
    assert [tuple(weights.shape) for _, weights in recorder.maps] == [(3, 2, 10, 10)] * 2
    silent = [name for name, parameter in model.named_parameters() if not parameter.grad.any()]
    # Softmax does not notice what all keys share.
    assert [name for name in silent if "w_key.bias" not in name] == []


def test_without_positions_the_order_of_patches_is_lost():
    torch.manual_seed(0)
    model = VisionTransformer(6, 2, 1, 4, d_model=8, num_heads=2).double().eval()
    images = draw(3, 1, 6, 6)
    patches = image_to_patches(images, 2)
    mixed = patches_to_image(patches[:, [4, 0, 8, 1, 3, 2, 7, 5, 6]], 1, 6, 6, 2)
    assert (model(mixed) - model(images)).abs().max() > 1e-3
    with torch.no_grad():
        model.rows.zero_()
        model.columns.zero_()
    assert_close(model(mixed), model(images))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: image_to_patches(torch.zeros(1, 4, 4), 2), r"images: expected shape \(batch, channels, height"),
        (lambda: image_to_patches(torch.zeros(1, 1, 4, 5), 2), "patch: expected a divisor of width = 5, got 2"),
        (lambda: image_to_patches(torch.zeros(1, 1, 5, 4), 2), "patch: expected a divisor of height = 5, got 2"),
        (lambda: image_to_patches(torch.zeros(1, 1, 4, 4), 0), "patch: expected an integer of at least 1, got 0"),
        (lambda: patches_to_image(torch.zeros(1, 4, 4), 1, 4, 6, 2), r"patches: expected shape \(batch, 6, 4\)"),
        (lambda: patches_to_image(torch.zeros(1, 4, 4), 1, 4, 5, 2), "patch: expected a divisor of width = 5"),
        (lambda: prepend_class_token(torch.zeros(1, 2, 3), torch.zeros(1, 3)), r"token: expected shape \(1, 1, 3\)"),
        (lambda: row_column_positions(torch.zeros(2, 3), torch.zeros(2, 4)), r"columns: expected shape \(num_col"),
        (lambda: row_column_positions(torch.zeros(2, 3).long(), torch.zeros(2, 3)), "rows: expected a floating"),
        (lambda: VisionTransformer(6, 4, 1, 2), "patch: expected a divisor of image_size = 6, got 4"),
        (lambda: VisionTransformer(6, 2, 1, 2, d_model=-4), "d_model: expected an integer of at least 1, got -4"),
        (lambda: VisionTransformer(6, 2, 1, 2, num_layers=0), "num_layers: expected an integer of at least 1"),
        (lambda: VisionTransformer(6, 2, 1, 2, num_heads=5), "num_heads: expected a divisor of d_model = 64"),
        (lambda: VisionTransformer(6, 2, 1, 2)(torch.zeros(1, 3, 6, 6)), r"images: expected shape \(batch, 1, 6, 6\)"),
        (lambda: VisionTransformer(6, 2, 1, 2)(torch.zeros(1, 1, 6, 6).long()), "images: expected a floating dtype"),
    ],
)  # fmt: skip
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
