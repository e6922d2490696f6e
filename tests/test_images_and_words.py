"""Unit 16 against torch's own layers with the same weights, against loops, and against numbers worked by hand."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.tokens import PAD
from transformer_course.common.torch_names import torch_state_dict
from transformer_course.data.scenes import PATCH, describe, draw_scenes, paint
from transformer_course.images_and_words import (
    CaptionModel,
    CrossModalBlock,
    contrastive_loss,
    gold_regions,
    joint_mask,
    joint_sequence,
    pointing_mass,
)

# All different, so that no transposed or mistaken dimension goes unseen.
BATCH, CHANNELS, SIDE, PATCH_SIZE, D_MODEL, HEADS, D_FF, WORDS, LENGTH = 2, 3, 15, 5, 12, 4, 17, 11, 6
PATCHES = (SIDE // PATCH_SIZE) ** 2


@pytest.fixture
def draw():
    generator = torch.Generator().manual_seed(0)
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)


@pytest.fixture
def randomised(draw):
    def randomise(module):
        module.double()
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(draw(*parameter.shape) * 0.4)
        return module

    return randomise


@pytest.fixture
def tokens():
    return torch.randint(4, WORDS, (BATCH, LENGTH), generator=torch.Generator().manual_seed(1))


def test_gold_regions_against_loops():
    owner = torch.randint(-1, 4, (BATCH, 6, 8), generator=torch.Generator().manual_seed(2))
    regions = gold_regions(owner, 2, 5)
    assert regions.shape == (BATCH, 5, 12)
    for picture in range(BATCH):
        for number in range(5):
            for row in range(3):
                for column in range(4):
                    piece = owner[picture, 2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
                    assert regions[picture, number, 4 * row + column] == (
                        number in piece.tolist()[0] + piece.tolist()[1]
                    )


def test_gold_regions_of_scenes_are_one_patch_each():
    scenes = draw_scenes(40, "train", torch.Generator().manual_seed(0))
    regions = gold_regions(paint(scenes, torch.Generator().manual_seed(0))[1], PATCH, 4)
    for patches, objects in zip(regions, describe(scenes), strict=True):
        expected = torch.zeros(4, 25, dtype=torch.bool)
        for number, (*_, row, column) in enumerate(objects):
            expected[number, 5 * row + column] = True
        assert patches.equal(expected)


def test_pointing_mass_against_loops(draw):
    weights = draw(BATCH, 3, 4, 7).softmax(dim=-1)
    regions = draw(BATCH, 4, 7) > 0
    regions[0, 1] = False
    mass = pointing_mass(weights, regions)
    for picture in range(BATCH):
        for head in range(3):
            for word in range(4):
                by_hand = sum(weights[picture, head, word, n] for n in range(7) if regions[picture, word, n])
                assert_close(mass[picture, head, word], torch.as_tensor(by_hand, dtype=torch.float64))
    assert_close(pointing_mass(weights, torch.ones_like(regions)), torch.ones(BATCH, 3, 4, dtype=torch.float64))


def torch_caption_logits(model, images, tokens):
    """Compute the logits with a convolution and the layers of torch.nn, with the weights of the model."""
    sizes = {"dropout": 0.0, "batch_first": True, "norm_first": True, "dtype": torch.float64}
    kernel = model.patch.weight.view(D_MODEL, CHANNELS, PATCH_SIZE, PATCH_SIZE)
    x = F.conv2d(images, kernel, model.patch.bias, stride=PATCH_SIZE).flatten(2).transpose(1, 2)
    x = x + (model.rows[:, None] + model.columns[None]).reshape(1, PATCHES, D_MODEL)
    for block in model.encoder_blocks:
        layer = nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, **sizes)
        layer.load_state_dict(torch_state_dict(block))
        x = layer(x)
    memory = F.layer_norm(x, (D_MODEL,), model.encoder_norm.weight, model.encoder_norm.bias)
    if model.pooled:
        memory = memory.mean(1, keepdim=True)
    y = (
        F.embedding(tokens, model.embedding.token.weight) * math.sqrt(D_MODEL)
        + model.embedding.encoding[: tokens.shape[1]]
    )
    hidden = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], dtype=torch.float64)
    for block in model.decoder_blocks:
        layer = nn.TransformerDecoderLayer(D_MODEL, HEADS, D_FF, **sizes)
        layer.load_state_dict(torch_state_dict(block))
        y = layer(y, memory, tgt_mask=hidden)
    y = F.layer_norm(y, (D_MODEL,), model.decoder_norm.weight, model.decoder_norm.bias)
    return memory, F.linear(y, model.output.weight, model.output.bias)


@pytest.mark.parametrize("pooled", [False, True])
def test_caption_model_equals_torch(draw, randomised, tokens, pooled):
    model = randomised(
        CaptionModel(SIDE, PATCH_SIZE, CHANNELS, WORDS, D_MODEL, HEADS, 2, D_FF, max_length=9, pooled=pooled)
    ).eval()
    images = draw(BATCH, CHANNELS, SIDE, SIDE)
    memory, logits = torch_caption_logits(model, images, tokens)
    assert memory.shape == (BATCH, 1 if pooled else PATCHES, D_MODEL)
    assert_close(model.encode(images), memory)
    assert_close(model(images, tokens), logits)
    assert_close(model.decode(tokens, memory), logits)


def test_a_caption_does_not_see_its_future(draw, randomised, tokens):
    model = randomised(CaptionModel(SIDE, PATCH_SIZE, CHANNELS, WORDS, D_MODEL, HEADS, 1, D_FF)).eval()
    images, later = draw(BATCH, CHANNELS, SIDE, SIDE), tokens.clone()
    later[:, 4:] = PAD
    assert_close(model(images, later)[:, :4], model(images, tokens)[:, :4])


def test_a_row_of_the_memory_can_be_left_out(draw, randomised, tokens):
    """The positions are in the rows: their order, and how many there are, does not matter to the decoder."""
    model = randomised(CaptionModel(SIDE, PATCH_SIZE, CHANNELS, WORDS, D_MODEL, HEADS, 1, D_FF)).eval()
    memory = model.encode(draw(BATCH, CHANNELS, SIDE, SIDE))
    assert_close(model.decode(tokens, memory.flip(1)), model.decode(tokens, memory))
    assert not torch.allclose(model.decode(tokens, memory[:, 1:]), model.decode(tokens, memory))


def test_joint_sequence_and_mask_by_hand(draw):
    text, image, types = draw(BATCH, 3, 4), draw(BATCH, 5, 4), draw(2, 4)
    joint = joint_sequence(text, image, types)
    assert joint.shape == (BATCH, 8, 4)
    for position in range(8):
        own = text[:, position] + types[0] if position < 3 else image[:, position - 3] + types[1]
        assert_close(joint[:, position], own)
    mask = joint_mask(torch.tensor([[7, PAD, PAD], [4, 5, 6]]), num_patches=2)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[[[True, False, False, True, True]]], [[[True] * 5]]]
    assert joint_mask(torch.tensor([[7, 0, 9]]), 1, pad_id=9).tolist() == [[[[True, True, False, True]]]]


@pytest.mark.parametrize("masked", [False, True])
def test_cross_modal_block_equals_torchs_decoder_layer_without_its_causal_mask(draw, randomised, masked):
    block = randomised(CrossModalBlock(D_MODEL, HEADS, D_FF))
    layer = nn.TransformerDecoderLayer(
        D_MODEL, HEADS, D_FF, dropout=0.0, batch_first=True, norm_first=True, dtype=torch.float64
    )
    layer.load_state_dict(torch_state_dict(block))
    text, image = draw(BATCH, LENGTH, D_MODEL), draw(BATCH, PATCHES, D_MODEL)
    real = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    expected = layer(text, image, tgt_key_padding_mask=~real if masked else None)
    assert_close(block(text, image, real[:, None, None] if masked else None), expected)


@pytest.mark.parametrize("temperature", [1.0, 0.07])
def test_contrastive_loss_against_loops(draw, temperature):
    image, text = draw(5, 7) * 3, draw(5, 7)
    total = 0.0
    for i in range(5):
        cosine = [[float(a @ b / a.norm() / b.norm()) / temperature for b in text] for a in image]
        total -= cosine[i][i] - math.log(sum(math.exp(each) for each in cosine[i]))
        total -= cosine[i][i] - math.log(sum(math.exp(cosine[j][i]) for j in range(5)))
    assert contrastive_loss(image, text, temperature).item() == pytest.approx(total / 10)
    assert contrastive_loss(text, image, temperature).item() == pytest.approx(total / 10)


def test_contrastive_loss_of_what_cannot_be_told_apart_is_the_logarithm_of_the_batch():
    same = torch.ones(6, 3, dtype=torch.float64)
    assert contrastive_loss(same, same, 0.1).item() == pytest.approx(math.log(6))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gold_regions(torch.zeros(2, 4, 4), 2, 1), "owner: expected dtype torch.int64"),
        (lambda: gold_regions(torch.zeros(2, 4, 4, dtype=torch.long), 3, 1), "patch: expected a divisor of height"),
        (lambda: pointing_mass(torch.zeros(2, 1, 3, 4), torch.zeros(2, 3, 5, dtype=torch.bool)), "regions: expected"),
        (lambda: pointing_mass(torch.zeros(2, 1, 3, 4), torch.zeros(2, 3, 4)), "regions: expected dtype torch.bool"),
        (lambda: CaptionModel(15, 4, 3, 11), "patch: expected a divisor of image_size"),
        (lambda: CaptionModel(16, 4, 3, 11)(torch.zeros(1, 3, 16, 12), torch.ones(1, 2).long()), "images: expected"),
        (lambda: joint_sequence(torch.zeros(1, 2, 3), torch.zeros(2, 2, 3), torch.zeros(2, 3)), "image: expected"),
        (lambda: joint_sequence(torch.zeros(1, 2, 3), torch.zeros(1, 2, 3), torch.zeros(3, 3)), "types: expected"),
        (lambda: joint_mask(torch.zeros(1, 2), 3), "tokens: expected an integer"),
        (lambda: contrastive_loss(torch.zeros(2, 3), torch.zeros(3, 3), 0.1), "text_vectors: expected"),
        (lambda: contrastive_loss(torch.zeros(2, 3), torch.zeros(2, 3), 0.0), "temperature: expected a positive"),
        (lambda: contrastive_loss(torch.zeros(0, 3), torch.zeros(0, 3), 0.1), "batch: expected"),
    ],
)
def test_errors(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_contrastive_loss_refuses_two_dtypes():
    with pytest.raises(ValueError, match="text_vectors: expected dtype torch.float32 as in image_vectors"):
        contrastive_loss(torch.eye(2), torch.eye(2).double(), 1.0)
