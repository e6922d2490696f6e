"""Unit 10 against ``nn.Transformer``, ``Adam`` by hand, and what masks must hide."""

import copy

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.common.torch_names import torch_state_dict
from transformer_course.transformer import Transformer, noam_learning_rate, padding_mask_or_none, train_step

# All different, so that no transposed or mistaken dimension goes unseen.
SOURCE_VOCAB, TARGET_VOCAB, D_MODEL, HEADS, ENCODER_LAYERS, DECODER_LAYERS, D_FF = 11, 13, 12, 3, 1, 2, 17
SIZES = {
    "source_vocab_size": SOURCE_VOCAB,
    "target_vocab_size": TARGET_VOCAB,
    "d_model": D_MODEL,
    "num_heads": HEADS,
    "num_encoder_layers": ENCODER_LAYERS,
    "num_decoder_layers": DECODER_LAYERS,
    "d_ff": D_FF,
    "dropout": 0.0,
}
SOURCE = torch.tensor([[4, 5, 6, 7, 8, EOS, PAD], [9, 10, EOS, PAD, PAD, PAD, PAD]])
TARGET = torch.tensor([[BOS, 4, 12, PAD, PAD], [BOS, 6, 7, 8, PAD]])


@pytest.fixture
def make_model():
    def make(**changes) -> Transformer:
        torch.manual_seed(0)
        generator = torch.Generator().manual_seed(0)
        model = Transformer(**(SIZES | changes)).double()
        with torch.no_grad():
            for parameter in model.parameters():
                noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
                parameter.add_(noise, alpha=0.1)  # so that biases and gains matter too
        return model

    return make


def torch_transformer(model: Transformer, norm_first: bool) -> nn.Transformer:
    options = {"dropout": 0.0, "batch_first": True, "norm_first": norm_first}
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, **options),
        ENCODER_LAYERS,
        nn.LayerNorm(D_MODEL) if norm_first else None,
        enable_nested_tensor=False,
    )
    decoder = nn.TransformerDecoder(
        nn.TransformerDecoderLayer(D_MODEL, HEADS, D_FF, **options),
        DECODER_LAYERS,
        nn.LayerNorm(D_MODEL) if norm_first else None,
    )
    theirs = nn.Transformer(D_MODEL, HEADS, custom_encoder=encoder, custom_decoder=decoder, batch_first=True).double()
    theirs.load_state_dict(torch_state_dict(model))
    return theirs


def torch_logits(theirs, model, source, target, hide_target=None):
    causal = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).triu(1)
    decoded = theirs(
        model.source_embedding(source),
        model.target_embedding(target),
        tgt_mask=causal,
        src_key_padding_mask=source == PAD,
        tgt_key_padding_mask=hide_target,
        memory_key_padding_mask=source == PAD,
    )
    return F.linear(decoded, model.output_layer.weight, model.output_layer.bias)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize(
    ("source", "target"), [(SOURCE, TARGET), (SOURCE[:1, :6], TARGET[:1, :3])], ids=["padded", "not padded"]
)
def test_equals_torch_forward_and_backward(make_model, norm_first, source, target):
    model = make_model(norm_first=norm_first)
    theirs = torch_transformer(model, norm_first)
    logits = model(source, target)
    expected = torch_logits(theirs, model, source, target)
    assert logits.shape == (*target.shape, TARGET_VOCAB)
    assert_close(logits, expected)
    real = target != PAD  # hiding the target's padding as well would change its own rows alone
    assert_close(logits[real], torch_logits(theirs, model, source, target, target == PAD)[real])
    upstream = torch.randn(logits.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    shared = [
        model.source_embedding.token.weight,
        model.target_embedding.token.weight,
        *model.output_layer.parameters(),
    ]
    from_theirs = torch.autograd.grad(expected, [*shared, *theirs.parameters()], upstream)
    logits.backward(upstream)
    assert_close([parameter.grad for parameter in shared], list(from_theirs[: len(shared)]))
    assert all(parameter.grad is not None for parameter in model.parameters())
    for parameter in model.parameters():
        parameter.data = parameter.grad  # to compare gradients under torch's names
    gradients = torch_state_dict(model)
    for (name, _), gradient in zip(theirs.named_parameters(), from_theirs[len(shared) :], strict=True):
        assert_close(gradients[name], gradient)


def test_encode_and_decode_are_the_two_halves_of_forward(make_model):
    model = make_model()
    memory = model.encode(SOURCE)
    assert memory.shape == (*SOURCE.shape, D_MODEL)
    assert_close(model.decode(TARGET, memory, SOURCE), model(SOURCE, TARGET))


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_logit_knows_the_past_and_nothing_of_the_future(make_model, norm_first):
    model = make_model(norm_first=norm_first)
    before = model(SOURCE, TARGET)
    changed = TARGET.clone()
    changed[:, 2] = 11
    after = model(SOURCE, changed)
    assert_close(after[:, :2], before[:, :2])
    assert ((after[:, 2] - before[:, 2]).abs().amax(dim=-1) > 1e-3).all()


@pytest.mark.parametrize("norm_first", [False, True])
def test_padding_and_company_change_nothing(make_model, norm_first):
    model = make_model(norm_first=norm_first)
    together = model(SOURCE, TARGET)
    alone = model(SOURCE[1:, :3], TARGET[1:, :4])
    assert_close(together[1:, :4], alone)


def test_every_block_is_its_own_and_reads_the_same_memory(make_model):
    model = make_model(num_encoder_layers=2, num_decoder_layers=3)
    identities = [id(parameter) for parameter in model.parameters()]
    assert len(set(identities)) == len(identities)
    memories = []
    for block in model.decoder_blocks:
        block.register_forward_pre_hook(lambda module, arguments: memories.append(arguments[1]))
    memory = model.encode(SOURCE)
    model.decode(TARGET, memory, SOURCE)
    assert [each is memory for each in memories] == [True] * 3


@pytest.mark.parametrize("same_size", [False, True])
@pytest.mark.parametrize("tie_weights", [False, True])
def test_tied_weights(tie_weights, same_size):
    source_vocab = TARGET_VOCAB if same_size else SOURCE_VOCAB
    model = Transformer(**(SIZES | {"source_vocab_size": source_vocab}), tie_weights=tie_weights)
    source, target = model.source_embedding.token.weight, model.target_embedding.token.weight
    output = model.output_layer.weight
    assert (output is target) is tie_weights
    assert (source is target) is (tie_weights and same_size)
    saved = (target.numel() if tie_weights else 0) + (source.numel() if tie_weights and same_size else 0)
    separate = source.numel() + target.numel() + output.numel()
    others = sum(
        p.numel() for name, p in model.named_parameters() if not ("token" in name or name == "output_layer.weight")
    )
    assert sum(parameter.numel() for parameter in model.parameters()) == others + separate - saved
    # It still is one model after being copied and moved.
    again = copy.deepcopy(model).double()
    assert (again.output_layer.weight is again.target_embedding.token.weight) is tie_weights


def test_parameter_count_of_the_base_model():
    # Table 3 of the paper: 65 million with its shared vocabulary of 37,000.
    with torch.device("meta"):
        model = Transformer(37_000, 37_000, tie_weights=True)
    count = sum(parameter.numel() for parameter in model.parameters())
    layers = nn.Transformer(batch_first=True, device="meta")
    final_norms = 4 * 512  # which the paper's order does not need
    expected = sum(parameter.numel() for parameter in layers.parameters()) - final_norms + 37_000 * 512 + 37_000
    assert count == expected
    assert 62e6 < count < 66e6


def test_the_loss_starts_near_that_of_guessing():
    # Logits of variance 1 cost half a nat more than equal ones.
    torch.manual_seed(0)
    for tie_weights in (False, True):
        model = Transformer(
            100,
            100,
            d_model=64,
            num_heads=4,
            num_encoder_layers=2,
            num_decoder_layers=2,
            d_ff=128,
            tie_weights=tie_weights,
        )
        tokens = torch.randint(4, 100, (16, 20))
        loss = F.cross_entropy(model(tokens, tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        assert torch.tensor(100.0).log() - 0.1 < loss < torch.tensor(100.0).log() + 1.0


@pytest.mark.parametrize(("source_length", "target_length"), [(0, 3), (4, 0), (1, 1)])
def test_empty_sentences(make_model, source_length, target_length):
    logits = make_model()(SOURCE[:, :source_length], TARGET[:, :target_length])
    assert logits.shape == (2, target_length, TARGET_VOCAB)
    assert logits.isfinite().all()


def test_padding_only_sentences_hurt_nobody(make_model):
    model = make_model()
    source, target = SOURCE.clone(), TARGET.clone()
    source[1] = target[1] = PAD
    logits = model(source, target)
    assert_close(logits[0], model(SOURCE, TARGET)[0])
    logits.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())


def test_padding_mask_or_none():
    assert padding_mask_or_none(torch.tensor([[4, 5], [6, 7]])) is None
    assert padding_mask_or_none(torch.tensor([[4, PAD]])).tolist() == [[[[True, False]]]]
    assert padding_mask_or_none(torch.tensor([[4, 0]]), pad_id=4).tolist() == [[[[False, True]]]]


def test_a_forward_pass_reads_nothing_back_from_a_device(make_model):
    # Tensors on "meta" have no values: whoever looks at one raises an error, where a GPU would have to wait.
    model = make_model().to("meta")
    assert padding_mask_or_none(torch.empty(2, 3, dtype=torch.long, device="meta")).shape == (2, 1, 1, 3)
    assert model(SOURCE.to("meta"), TARGET.to("meta")).shape == (2, TARGET.shape[1], TARGET_VOCAB)


@pytest.mark.parametrize("tie_weights", [False, True])
def test_what_the_embedding_of_padding_holds_is_never_felt(make_model, tie_weights):
    # Where the output layer shares the table the row of PAD trains too, so that the word PAD becomes improbable.
    model = make_model(tie_weights=tie_weights, source_vocab_size=TARGET_VOCAB)
    before = model(SOURCE, TARGET)
    F.cross_entropy(before.flatten(0, 1), TARGET.flatten(), ignore_index=PAD).backward()
    row = model.target_embedding.token.weight.grad[PAD]
    assert bool(row.abs().max() > 0) is tie_weights
    with torch.no_grad():
        for embedding in (model.source_embedding, model.target_embedding):
            embedding.token.weight[PAD] = 3.0
    real = TARGET != PAD
    assert_close(model(SOURCE, TARGET)[real][:, PAD + 1 :], before[real][:, PAD + 1 :])


@pytest.mark.parametrize(
    ("step", "d_model", "warmup", "expected"),
    [(4000, 512, 4000, 6.988e-4), (1, 512, 4000, 1.747e-7), (8000, 512, 4000, 4.941e-4), (4, 16, 1, 0.125)],
)
def test_noam_learning_rate_by_hand(step, d_model, warmup, expected):
    assert noam_learning_rate(step, d_model, warmup) == pytest.approx(expected, rel=2e-4)


def test_noam_learning_rate_is_highest_at_the_end_of_the_warm_up():
    rates = [noam_learning_rate(step, 64, 50) for step in range(1, 300)]
    assert max(rates) == rates[49]
    assert rates[24] == pytest.approx(rates[49] / 2)


@pytest.mark.parametrize("max_grad_norm", [1e-2, 1e6])
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_train_step_is_one_clipped_update(make_model, smoothing, max_grad_norm):
    model = make_model().eval()
    reference = copy.deepcopy(model)
    target = torch.cat([TARGET, torch.full((2, 1), PAD)], dim=1)
    loss = train_step(model, SOURCE, target, torch.optim.SGD(model.parameters(), 0.5), smoothing, max_grad_norm)
    expected = F.cross_entropy(
        reference(SOURCE, target[:, :-1]).flatten(0, 1),
        target[:, 1:].flatten(),
        ignore_index=PAD,
        label_smoothing=smoothing,
    )
    assert loss == pytest.approx(expected.item())
    expected.backward()
    norm = torch.cat([p.grad.flatten() for p in reference.parameters()]).norm()
    factor = min(1.0, max_grad_norm / (norm.item() + 1e-6))
    for mine, other in zip(model.parameters(), reference.parameters(), strict=True):
        assert_close(mine, other - 0.5 * factor * other.grad)
    assert model.training


def test_train_step_forgets_old_gradients_and_learns_in_train_mode(make_model):
    one, other = make_model(dropout=0.3).eval(), make_model(dropout=0.3).eval()
    for parameter in one.parameters():
        parameter.grad = torch.ones_like(parameter)
    losses = []
    for model in (one, other):
        torch.manual_seed(3)
        losses.append(train_step(model, SOURCE, TARGET, torch.optim.SGD(model.parameters(), 0.1)))
    assert losses[0] == losses[1]
    without_dropout = make_model()
    without_loss = train_step(without_dropout, SOURCE, TARGET, torch.optim.SGD(without_dropout.parameters(), 0.1))
    assert abs(losses[0] - without_loss) > 1e-3
    for mine, theirs in zip(one.parameters(), other.parameters(), strict=True):
        assert_close(mine, theirs)


def test_it_learns_to_copy():
    torch.manual_seed(0)
    model = Transformer(14, 14, 32, 2, 1, 1, 64, dropout=0.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    words = torch.randint(4, 14, (64, 4))
    target = F.pad(F.pad(words, (1, 0), value=BOS), (0, 1), value=EOS)
    for _ in range(60):
        loss = train_step(model, words, target, optimizer, smoothing=0.0)
    assert loss < 0.5  # guessing costs 2.0


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_device_and_dtype(device, dtype):
    model = Transformer(**SIZES).to(device, dtype)
    logits = model(SOURCE.to(device), TARGET.to(device))
    assert (logits.dtype, logits.device.type) == (dtype, device.type)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda model: model(SOURCE[:, [0] * 9], TARGET), "source: expected at most max_length = 8 tokens, got 9"),
        (lambda model: model(SOURCE, TARGET[:, [0] * 9]), "target: expected at most max_length = 8 tokens, got 9"),
        (lambda model: model(SOURCE, TARGET[:1]), r"target: expected shape \(2, length\), got \(1, 5\)"),
        (lambda model: model(SOURCE[0], TARGET), r"source: expected shape \(batch, length\), got \(7,\)"),
        (lambda model: model.decode(TARGET, torch.zeros(2, 6, 12), SOURCE), r"memory: expected shape \(2, 7, 12\)"),
        (lambda model: Transformer(**(SIZES | {"num_heads": 5})), "num_heads: expected a divisor of d_model = 12"),
        (lambda model: Transformer(**(SIZES | {"dropout": 2.0})), "dropout: expected a number from 0 to 1"),
        (lambda model: Transformer(**(SIZES | {"target_vocab_size": 0})), "target_vocab_size: expected an integer"),
        (lambda model: Transformer(**(SIZES | {"num_decoder_layers": -1})), "num_decoder_layers: expected an integer"),
        (lambda model: noam_learning_rate(0, 512), "step: expected an integer of at least 1, got 0"),
        (lambda model: noam_learning_rate(1, 512, 0), "warmup_steps: expected an integer of at least 1, got 0"),
        (
            lambda model: train_step(model, SOURCE, TARGET, None, max_grad_norm=0.0),
            "max_grad_norm: expected a positive",
        ),
        (lambda model: train_step(model, SOURCE, TARGET[:, 1:], None), "target: expected BOS"),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call(Transformer(**SIZES, max_length=8))
