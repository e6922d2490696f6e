"""The recorder on the course's own attention, blocks and Transformer: it sees every map and leaves no trace."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from drawings.separate_heads import SeparateHeads, separate_heads
from transformer_course.inside_attention import attention_rollout, head_similarity
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.transformer import Transformer

SOURCE_VOCAB_SIZE, TARGET_VOCAB_SIZE, D_MODEL, HEADS, SOURCE_LENGTH, TARGET_LENGTH, BATCH = 13, 11, 8, 4, 7, 5, 3


@pytest.fixture
def model() -> Transformer:
    torch.manual_seed(0)
    model = Transformer(
        SOURCE_VOCAB_SIZE,
        TARGET_VOCAB_SIZE,
        d_model=D_MODEL,
        num_heads=HEADS,
        num_encoder_layers=2,
        num_decoder_layers=3,
        d_ff=16,
        max_length=10,
    )
    return model.double().eval()


@pytest.fixture
def batch() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    source = torch.randint(4, SOURCE_VOCAB_SIZE, (BATCH, SOURCE_LENGTH), generator=generator)
    source[1, 4:] = 0
    return source, torch.randint(4, TARGET_VOCAB_SIZE, (BATCH, TARGET_LENGTH), generator=generator)


def hooks(model: nn.Module) -> int:
    return sum(len(module._forward_hooks) + len(module._forward_pre_hooks) for module in model.modules())


def test_every_map_of_a_transformer_is_recorded_under_its_name(model, batch):
    plain = model(*batch)
    with AttentionRecorder(model) as recorder:
        recorded = model(*batch)
    assert_close(recorded, plain)
    square, causal, cross = (
        (BATCH, HEADS, *lengths)
        for lengths in [(SOURCE_LENGTH, SOURCE_LENGTH), (TARGET_LENGTH, TARGET_LENGTH), (TARGET_LENGTH, SOURCE_LENGTH)]
    )
    expected = [(f"encoder_blocks.{i}.self_attention", square) for i in range(2)]
    for i in range(3):
        expected += [(f"decoder_blocks.{i}.self_attention", causal), (f"decoder_blocks.{i}.cross_attention", cross)]
    assert [(name, tuple(weights.shape)) for name, weights in recorder.maps] == expected
    assert recorder.names == [name for name, _ in expected]
    for name, weights in recorder.maps:
        assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:-1], dtype=torch.float64))
        assert not weights.requires_grad
        if "encoder" in name or "cross" in name:
            assert (weights[1, :, :, 4:] == 0).all()  # the padding of the second sentence
    assert (recorder.stack("decoder_blocks.0.self").triu(1) == 0).all()


def test_the_maps_are_those_of_torchs_attention_with_the_same_weights():
    torch.manual_seed(1)
    ours, theirs = MultiHeadAttention(D_MODEL, HEADS).double(), nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True)
    theirs = theirs.double()
    with torch.no_grad():
        projections = (ours.w_query, ours.w_key, ours.w_value)
        theirs.in_proj_weight.copy_(torch.cat([projection.weight for projection in projections]))
        theirs.in_proj_bias.copy_(torch.cat([projection.bias for projection in projections]))
        theirs.out_proj.load_state_dict(ours.w_output.state_dict())
    x, memory = torch.randn(2, 5, D_MODEL).double(), torch.randn(2, 7, D_MODEL).double()
    _, expected = theirs(x, memory, memory, average_attn_weights=False)
    with AttentionRecorder(ours) as recorder:
        ours(x, memory, memory, need_weights=False)
        ours(x, memory, memory, None, False)
        ours(query=x, key=memory, value=memory)
    assert len(recorder.maps) == 3
    for name, weights in recorder.maps:
        assert name == ""
        assert_close(weights, expected)


def test_stack_has_the_shape_that_chapter_12_measures(model, batch):
    with AttentionRecorder(model) as recorder:
        model(*batch)
    stacked = recorder.stack("encoder_blocks", sentence=1)
    assert stacked.shape == (2, HEADS, SOURCE_LENGTH, SOURCE_LENGTH)
    assert torch.equal(stacked[1], recorder.maps[1].weights[1])
    assert attention_rollout(stacked).shape == (SOURCE_LENGTH, SOURCE_LENGTH)
    assert head_similarity(recorder.stack("cross_attention")).shape == (3, HEADS, HEADS)


def test_nothing_is_left_behind_also_after_an_error(model, batch):
    with AttentionRecorder(model) as recorder:
        assert hooks(model) > 0
        model(*batch)
    assert hooks(model) == 0
    maps = list(recorder.maps)
    model(*batch)
    assert recorder.maps == maps
    with pytest.raises(ValueError, match="expected"), AttentionRecorder(model):
        model(batch[0], batch[1].float())
    assert hooks(model) == 0
    attention = model.encoder_blocks[0].self_attention
    x = torch.zeros(1, 2, D_MODEL, dtype=torch.float64)
    assert attention(x, x, x, need_weights=False)[1] is None


def test_a_second_recording_starts_anew_and_recorders_may_be_nested(model, batch):
    recorder = AttentionRecorder(model)
    for _ in range(2):
        with recorder, AttentionRecorder(model.decoder_blocks) as inner:
            model(*batch)
        assert len(recorder.maps) == 8
        assert len(inner.maps) == 6
    assert hooks(model) == 0


def test_a_shared_attention_is_recorded_at_every_call():
    attention = MultiHeadAttention(D_MODEL, HEADS)
    model = nn.ModuleDict({"first": attention, "second": attention})
    x = torch.randn(1, 4, D_MODEL)
    with AttentionRecorder(model) as recorder:
        for layer in model.values():
            x, _ = layer(x, x, x)
    assert recorder.stack().shape == (2, HEADS, 4, 4)
    assert not torch.equal(recorder.maps[0].weights, recorder.maps[1].weights)


def test_training_with_a_recorder_gives_the_same_gradients(model, batch):
    def gradients():
        model.zero_grad()
        F.cross_entropy(model(*batch).flatten(0, 1), batch[1].flatten()).backward()
        return [parameter.grad.clone() for parameter in model.parameters()]

    plain = gradients()
    with AttentionRecorder(model):
        recorded = gradients()
    for one, other in zip(plain, recorded, strict=True):
        assert_close(one, other)


def test_other_classes_are_recorded_where_they_are_named():
    parts = separate_heads(MultiHeadAttention(D_MODEL, HEADS))
    with AttentionRecorder(parts, kinds=(SeparateHeads,)) as recorder:
        _, weights = parts(*[torch.randn(2, 5, D_MODEL)] * 3)
    assert torch.equal(recorder.maps[0].weights, weights)


class LearnersAttention(nn.Module):
    """An attention from an exercise: it knows of no need_weights."""

    def forward(self, query, key, value, mask=None):
        weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
        return weights @ value, weights[:, None]


def test_a_learners_own_class_can_be_recorded():
    model = nn.Sequential(nn.Identity(), LearnersAttention())
    with pytest.raises(ValueError, match="model: expected at least one MultiHeadAttention .* got Sequential"):
        AttentionRecorder(model)
    x = torch.randn(2, 5, 4)
    with AttentionRecorder(model, kinds=(LearnersAttention,)) as recorder:
        model[1](x, x, x)
    assert recorder.stack().shape == (1, 1, 5, 5)


def test_errors_name_argument_expected_and_got(model, batch):
    recorder = AttentionRecorder(model)
    with pytest.raises(ValueError, match="containing: expected text from the name of a module .* got ''"):
        recorder.stack()
    with recorder:
        model(*batch)
    with pytest.raises(ValueError, match="containing: expected text .* got 'nowhere'"):
        recorder.stack("nowhere")
    with pytest.raises(ValueError, match="containing: expected modules with maps of one shape"):
        recorder.stack("decoder")
    with pytest.raises(ValueError, match="sentence: expected an index from 0 to 2, got 3"):
        recorder.stack("encoder", sentence=3)
