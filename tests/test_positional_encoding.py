"""Unit 08 against the paper's formula entry by entry, the rotation that it promises, and torch's embedding."""

import math

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.tokens import PAD
from transformer_course.positional_encoding import (
    TransformerEmbedding,
    alibi_bias,
    rotary_encoding,
    shift_matrix,
    sinusoidal_encoding,
)

BATCH, LENGTH, VOCAB_SIZE, D_MODEL, MAX_LENGTH = 3, 5, 11, 8, 20


@pytest.fixture
def float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


@pytest.fixture
def embedding() -> TransformerEmbedding:
    torch.manual_seed(0)
    return TransformerEmbedding(VOCAB_SIZE, D_MODEL, MAX_LENGTH)


@pytest.fixture
def tokens() -> torch.Tensor:
    return torch.randint(1, VOCAB_SIZE, (BATCH, LENGTH), generator=torch.Generator().manual_seed(0))


def formula(length: int, d_model: int) -> torch.Tensor:
    """The paper's two lines, one entry at a time, in Python's own numbers."""
    encoding = torch.empty(length, d_model, dtype=torch.float64)
    for position in range(length):
        for column in range(d_model):
            angle = position / 10_000 ** (2 * (column // 2) / d_model)
            encoding[position, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
    return encoding


@pytest.mark.parametrize(("length", "d_model"), [(1, 2), (9, 4), (30, 16), (7, 1), (6, 3), (10, 7), (0, 4), (0, 3)])
def test_encoding_equals_the_formula(float64, length, d_model):
    assert_close(sinusoidal_encoding(length, d_model), formula(length, d_model))


def test_encoding_by_hand():
    # With d_model = 4 the second pair turns at 10000 ** (-2 / 4) = 1 / 100: a base or an exponent that is wrong shows
    # in the last pair, while the first is the same for all of them.
    row = sinusoidal_encoding(101, 4)[100]
    assert_close(row, torch.tensor([math.sin(100), math.cos(100), math.sin(1), math.cos(1)]))
    assert_close(sinusoidal_encoding(3, 6)[0], torch.tensor([0.0, 1.0, 0.0, 1.0, 0.0, 1.0]))


def test_encoding_is_as_exact_as_its_dtype_even_far_out():
    # An angle of 99,999 in float32 is only known to 0.004. Half a unit in the last place is 2 ** -25 near 1.
    encoding = sinusoidal_encoding(100_000, 6)
    assert encoding.dtype == torch.float32
    expected = torch.tensor([math.sin(99_999), math.cos(99_999)], dtype=torch.float64)
    assert (encoding[-1, :2].double() - expected).abs().max() < 2**-24


def test_the_dot_product_of_two_positions_depends_on_their_distance_only(float64):
    encoding = sinusoidal_encoding(12, D_MODEL)
    products = encoding @ encoding.T
    for distance in range(12):
        diagonal = products.diagonal(distance)
        assert_close(diagonal, diagonal[0].expand_as(diagonal))
    assert_close(products.diagonal(), torch.full((12,), D_MODEL / 2))


@pytest.mark.parametrize("offset", [0, 1, 5, 37, -1, -12])
@pytest.mark.parametrize("d_model", [2, 8, 14])
def test_shift_matrix_moves_every_position(float64, offset, d_model):
    encoding = sinusoidal_encoding(60, d_model)
    start, end = max(0, -offset), min(60, 60 - offset)
    moved = encoding[start:end] @ shift_matrix(offset, d_model).T
    assert_close(moved, encoding[start + offset : end + offset])


def test_shift_matrix_is_a_rotation_that_adds_up_and_turns_back(float64):
    one, many = shift_matrix(3, D_MODEL), shift_matrix(11, D_MODEL)
    identity = torch.eye(D_MODEL)
    assert_close(one @ many, shift_matrix(14, D_MODEL))
    assert_close(one.T, shift_matrix(-3, D_MODEL))
    assert_close(one @ one.T, identity)
    assert_close(torch.linalg.det(one), torch.tensor(1.0))
    assert_close(shift_matrix(0, D_MODEL), identity)


def test_shift_matrix_in_default_dtype():
    assert shift_matrix(3, D_MODEL).dtype == torch.float32
    encoding = sinusoidal_encoding(9, D_MODEL)
    assert_close(shift_matrix(3, D_MODEL) @ encoding[5], encoding[8])


def test_embedding_is_the_scaled_token_plus_its_position(embedding, tokens):
    expected = F.embedding(tokens, embedding.token.weight) * math.sqrt(D_MODEL) + formula(LENGTH, D_MODEL).float()
    assert_close(embedding(tokens), expected)
    # The same tokens in another sentence have the same vectors: the position counts along the length, not the batch.
    assert torch.equal(embedding(tokens[:1].expand(LENGTH + 2, -1))[-1], embedding(tokens)[0])


def test_start_continues_where_the_cache_ended(embedding, tokens):
    whole = embedding(tokens)
    assert torch.equal(torch.cat([embedding(tokens[:, :2]), embedding(tokens[:, 2:], start=2)], dim=1), whole)
    for position in range(LENGTH):
        assert torch.equal(embedding(tokens[:, position : position + 1], start=position), whole[:, position, None])
    last = embedding(tokens[:, :1], start=MAX_LENGTH - 1) - embedding.token(tokens[:, :1]) * math.sqrt(D_MODEL)
    # float32 rounds when the token is added and taken away again.
    assert_close(last[0, 0], formula(MAX_LENGTH, D_MODEL)[-1].float(), rtol=0, atol=1e-6)


@pytest.mark.parametrize("d_model", [1, 7])
def test_an_odd_width_works(d_model):
    embedding = TransformerEmbedding(VOCAB_SIZE, d_model, MAX_LENGTH)
    assert_close(embedding(torch.full((1, 4), PAD))[0], formula(4, d_model).float())


@pytest.mark.parametrize("shape", [(1, 1), (0, 3), (3, 0), (2, MAX_LENGTH)])
def test_edge_shapes(embedding, shape):
    assert embedding(torch.ones(shape, dtype=torch.long)).shape == (*shape, D_MODEL)


def test_tokens_and_positions_start_at_the_same_size():
    torch.manual_seed(0)
    scaled = TransformerEmbedding(2000, 64).token.weight[1:] * math.sqrt(64)
    assert abs(scaled.var().item() - 1) < 0.02  # 127,936 draws: the standard error is 0.004
    assert abs(scaled.mean().item()) < 0.02


@pytest.mark.parametrize("pad_id", [PAD, 4])
def test_padding_stays_at_zero_through_training(pad_id):
    embedding = TransformerEmbedding(VOCAB_SIZE, D_MODEL, MAX_LENGTH, pad_id=pad_id)
    before = embedding.token.weight.detach().clone()
    assert (before[pad_id] == 0).all()
    optimizer = torch.optim.SGD(embedding.parameters(), lr=1.0)
    embedding(torch.arange(VOCAB_SIZE)[None]).sum().backward()
    optimizer.step()
    after = embedding.token.weight.detach()
    assert (after[pad_id] == 0).all()
    others = torch.arange(VOCAB_SIZE) != pad_id
    # Each other token occurs once, so its gradient is the factor sqrt(d_model).
    assert_close(after[others], before[others] - math.sqrt(D_MODEL))


def test_reset_parameters_keeps_padding_at_zero(embedding):
    before = embedding.token.weight.detach().clone()
    embedding.reset_parameters()
    assert (embedding.token.weight[PAD] == 0).all()
    assert (embedding.token.weight[1:] != before[1:]).all()


def test_the_encoding_is_a_buffer_that_is_not_trained_and_not_saved(embedding):
    assert [name for name, _ in embedding.named_parameters()] == ["token.weight"]
    assert dict(embedding.named_buffers()).keys() == {"encoding"}
    assert not embedding.encoding.requires_grad
    assert list(embedding.state_dict()) == ["token.weight"]
    longer = TransformerEmbedding(VOCAB_SIZE, D_MODEL, 2 * MAX_LENGTH)
    longer.load_state_dict(embedding.state_dict())
    tokens = torch.ones(1, 4, dtype=torch.long)
    assert torch.equal(longer(tokens), embedding(tokens))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_the_encoding_follows_the_module(embedding, tokens, dtype, device):
    result = embedding.to(device, dtype)(tokens.to(device))
    assert result.dtype == dtype
    assert result.device.type == device.type
    assert embedding.to("meta").encoding.device.type == "meta"


def test_dropout_falls_on_the_sum_in_training_only(tokens):
    embedding = TransformerEmbedding(VOCAB_SIZE, D_MODEL, MAX_LENGTH, dropout=0.5)
    complete = embedding.eval()(tokens)
    assert torch.equal(complete, embedding(tokens))
    torch.manual_seed(1)
    dropped = embedding.train()(tokens)
    kept = dropped != 0
    assert 0.3 < kept.float().mean() < 0.7
    # Whole entries go, position and all, and the others grow by 1 / (1 - 0.5).
    assert_close(dropped[kept], 2 * complete[kept])


def test_an_embedding_without_positions_does_not_know_the_order(embedding, tokens):
    # The reason for the unit: without the encoding a token's vector is the same wherever it stands.
    order = torch.tensor([3, 1, 4, 0, 2])
    alone, shuffled_alone = embedding.token(tokens), embedding.token(tokens[:, order])
    assert torch.equal(alone[:, order], shuffled_alone)
    assert not torch.allclose(embedding(tokens)[:, order], embedding(tokens[:, order]))


def test_inputs_are_not_modified_and_nothing_is_kept(embedding, tokens):
    copy, weight, encoding = tokens.clone(), embedding.token.weight.detach().clone(), embedding.encoding.clone()
    first = embedding(tokens)
    embedding(tokens[:, 1:], start=3)
    assert torch.equal(embedding(tokens), first)
    assert torch.equal(tokens, copy)
    assert torch.equal(embedding.token.weight, weight)
    assert torch.equal(embedding.encoding, encoding)


def test_token_ids_may_be_int32(embedding, tokens):
    assert torch.equal(embedding(tokens.int()), embedding(tokens))


TOKENS = torch.ones(2, 5, dtype=torch.long)
SMALL = TransformerEmbedding(VOCAB_SIZE, D_MODEL, max_length=6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sinusoidal_encoding(-1, 4), "length: expected an integer of at least 0, got -1"),
        (lambda: sinusoidal_encoding(3, 0), "d_model: expected an integer of at least 1, got 0"),
        (lambda: sinusoidal_encoding(3, 4.0), "d_model: expected an integer of at least 1, got 4.0"),
        (lambda: shift_matrix(1, 7), "d_model: expected an even number.* got 7"),
        (lambda: shift_matrix(1, 0), "d_model: expected an integer of at least 1, got 0"),
        (lambda: shift_matrix(1.5, 4), "offset: expected an integer, got 1.5"),
        (lambda: TransformerEmbedding(0, 4), "vocab_size: expected an integer of at least 1, got 0"),
        (lambda: TransformerEmbedding(5, 0), "d_model: expected an integer of at least 1, got 0"),
        (lambda: TransformerEmbedding(5, 4, max_length=0), "max_length: expected an integer of at least 1, got 0"),
        (lambda: TransformerEmbedding(5, 4, dropout=1.5), "dropout: expected a number from 0 to 1, got 1.5"),
        (lambda: TransformerEmbedding(5, 4, dropout=-0.1), "dropout: expected a number from 0 to 1, got -0.1"),
        (lambda: TransformerEmbedding(5, 4, pad_id=5), "pad_id: expected a token from 0 to vocab_size - 1 = 4, got 5"),
        (
            lambda: TransformerEmbedding(5, 4, pad_id=-1),
            "pad_id: expected a token from 0 to vocab_size - 1 = 4, got -1",
        ),
        (lambda: SMALL(TOKENS[0]), r"tokens: expected shape \(batch, length\), got \(5,\)"),
        (lambda: SMALL(TOKENS.float()), "tokens: expected dtype torch.int64 or torch.int32, got torch.float32"),
        (lambda: SMALL(TOKENS * VOCAB_SIZE), "tokens: expected ids from 0 to vocab_size - 1 = 10, got 11 to 11"),
        (lambda: SMALL(TOKENS - 2), "tokens: expected ids from 0 .* got -1 to -1"),
        (lambda: SMALL(TOKENS, start=2), "tokens: expected positions below max_length = 6, got 2 to 6"),
        (lambda: SMALL(TOKENS, start=-1), "start: expected an integer of at least 0, got -1"),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_rotary_is_multiplication_by_complex_numbers_of_length_one():
    x = torch.randn(BATCH, LENGTH, D_MODEL, dtype=torch.float64)
    turned = torch.empty_like(x)
    for place in range(LENGTH):
        for i in range(D_MODEL // 2):
            angle = (place + 2) / 10_000 ** (2 * i / D_MODEL)
            number = torch.view_as_complex(x[:, place, 2 * i : 2 * i + 2].contiguous()) * complex(
                math.cos(angle), math.sin(angle)
            )
            turned[:, place, 2 * i : 2 * i + 2] = torch.view_as_real(number)
    assert_close(rotary_encoding(x, start=2), turned)


def test_rotary_scores_depend_on_the_offset_alone():
    query, key = torch.randn(2, D_MODEL, dtype=torch.float64)
    queries, keys = rotary_encoding(query.expand(9, -1)), rotary_encoding(key.expand(9, -1))
    scores = queries @ keys.T
    for offset in range(-8, 9):
        diagonal = scores.diagonal(offset)
        assert_close(diagonal, diagonal[:1].expand_as(diagonal))
    assert not torch.allclose(scores[3, 1], scores[1, 3])  # the sign of the offset counts


def test_rotary_keeps_dtype_and_refuses_what_has_no_pairs():
    assert rotary_encoding(torch.ones(2, 4, dtype=torch.float32)).dtype == torch.float32
    assert rotary_encoding(torch.ones(0, 4)).shape == (0, 4)
    with pytest.raises(ValueError, match="d_k of x: expected an even number, got 3"):
        rotary_encoding(torch.ones(2, 3))
    with pytest.raises(ValueError, match="start"):
        rotary_encoding(torch.ones(2, 4), start=-1)
    with pytest.raises(ValueError, match="x: expected a floating dtype"):  # whose sines and cosines would be 0 and 1
        rotary_encoding(torch.tensor([[1, 0], [1, 0]]))
    with pytest.raises(ValueError, match="x: expected at least 2 dimension"):
        rotary_encoding(torch.ones(4))


def test_alibi_has_the_slopes_of_the_paper():
    # Section 3 of the paper: 8 heads have the slopes 1/2, 1/4, ..., 1/256; 16 heads start at 1/sqrt(2).
    bias = alibi_bias(8, 4)
    assert bias.shape == (8, 4, 4)
    assert_close(bias[:, 3, 2], -torch.tensor([2.0**-i for i in range(1, 9)]))
    assert_close(bias[0, 3], torch.tensor([-1.5, -1.0, -0.5, 0.0]))
    assert_close(alibi_bias(16, 2)[0, 1, 0], torch.tensor(-(2**-0.5)))
    with pytest.raises(ValueError, match="num_heads"):
        alibi_bias(0, 4)
    with pytest.raises(ValueError, match="length"):
        alibi_bias(2, -1)
