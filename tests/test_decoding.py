"""Unit 11 against decoding without a cache, exhaustive search, and sacrebleu."""

import itertools
import random

import pytest
import sacrebleu
import torch
from torch import nn
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.common.torch_names import torch_state_dict
from transformer_course.decoding import cached_attention, corpus_bleu, translate
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.transformer import Transformer

# All different, so that no transposed or mistaken dimension goes unseen.
BATCH, LENGTH, D_MODEL, HEADS = 2, 5, 12, 3
SOURCE = torch.tensor([[4, 5, 6, 7, 8, EOS, PAD], [9, 10, EOS, PAD, PAD, PAD, PAD], [5, 4, 10, 8, 9, 9, EOS]])


def make_model(seed=0, norm_first=False, kind=Transformer, vocab_size=11, **changes):
    torch.manual_seed(seed)
    sizes = {"d_model": D_MODEL, "num_heads": HEADS, "num_encoder_layers": 1, "num_decoder_layers": 2, "d_ff": 17}
    model = kind(11, vocab_size, norm_first=norm_first, max_length=40, **(sizes | changes)).double()
    with torch.no_grad():
        for parameter in model.parameters():
            # Loud matrices, so that the words differ from step to step; quiet biases, so that they matter too.
            parameter.add_(torch.randn_like(parameter), alpha=0.8 if parameter.dim() > 1 else 0.1)
    return model


class LearnersTransformer(nn.Module):
    """Nothing but the contract: built of torch's layers, no cache, no ``pad_id``, other names."""

    def __init__(self, model: Transformer):
        super().__init__()
        self.inner = model

    def encode(self, source):
        return self.inner.encode(source)

    def decode(self, target, memory, source):
        return self.inner.decode(target, memory, source)

    def forward(self, source, target):
        return self.decode(target, self.encode(source), source)


def greedy_by_hand(model, source, max_length):
    """One sentence at a time, everything anew for each word, with forward only."""
    model.eval()
    rows = []
    for row in source:
        row = row[row != PAD].unsqueeze(0)
        written = []
        while len(written) < max_length and (not written or written[-1] != EOS):
            with torch.no_grad():
                written.append(int(model(row, torch.tensor([[BOS, *written]]))[0, -1].argmax()))
        rows.append(written)
    longest = max(map(len, rows))
    return [row + [PAD] * (longest - len(row)) for row in rows]


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_cached_attention_equals_causal_attention_of_torch(generator):
    torch.manual_seed(0)
    attention = MultiHeadAttention(D_MODEL, HEADS).double()
    theirs = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True).double()
    theirs.load_state_dict(torch_state_dict(attention))
    x = torch.randn(BATCH, LENGTH, D_MODEL, generator=generator, dtype=torch.float64)
    causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)
    expected, _ = theirs(x, x, x, attn_mask=causal)
    cache, caches = None, []
    for position in range(LENGTH):
        output, cache = cached_attention(attention, x[:, position : position + 1], cache)
        assert_close(output, expected[:, position : position + 1])
        assert [part.shape for part in cache] == [(BATCH, HEADS, position + 1, D_MODEL // HEADS)] * 2
        caches.append((cache, [part.clone() for part in cache]))
    for kept, copy in caches:  # no step changed the cache of an earlier one: hypotheses may share it
        assert all(torch.equal(a, b) for a, b in zip(kept, copy, strict=True))


def test_cached_attention_is_differentiable_and_takes_a_mask(generator):
    torch.manual_seed(0)
    attention = MultiHeadAttention(D_MODEL, HEADS).double()
    x = torch.randn(BATCH, LENGTH, D_MODEL, generator=generator, dtype=torch.float64, requires_grad=True)
    mask = torch.ones(BATCH, 1, 1, LENGTH, dtype=torch.bool)
    mask[1, ..., 2] = False
    cache = None
    for position in range(LENGTH):
        output, cache = cached_attention(
            attention, x[:, position : position + 1], cache, mask[..., :LENGTH] if position == LENGTH - 1 else None
        )
    expected, _ = attention(x[:, -1:], x, x, mask)
    assert_close(output, expected)
    upstream = torch.randn(output.shape, generator=generator, dtype=torch.float64)
    assert_close(*(torch.autograd.grad(each, x, upstream) for each in (output, expected)))


@pytest.mark.parametrize("wrap", [lambda model: model, LearnersTransformer], ids=["cached", "contract only"])
@pytest.mark.parametrize("norm_first", [False, True])
def test_greedy_equals_greedy_by_hand(wrap, norm_first):
    lengths = set()
    for seed in range(4):
        model = make_model(seed, norm_first)
        expected = greedy_by_hand(model, SOURCE, 8)
        assert translate(wrap(model), SOURCE, 8).tolist() == expected
        lengths.update(row.index(EOS) if EOS in row else None for row in expected)
    assert len(lengths) > 2  # sentences ended at different places, and one was cut


def test_greedy_does_not_depend_on_the_batch():
    model = make_model(3)
    together = translate(model, SOURCE, 8)
    for row, source in zip(together, SOURCE, strict=True):
        alone = translate(model, source[None], 8)[0]
        assert row[: len(alone)].tolist() == alone.tolist()
        assert (row[len(alone) :] == PAD).all()


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("beam_width", [1, 3])
def test_cache_or_not_the_tokens_are_the_same(norm_first, beam_width):
    for seed in range(2):
        model = make_model(seed, norm_first)
        with_cache = translate(model, SOURCE, 7, beam_width)
        assert torch.equal(with_cache, translate(model, SOURCE, 7, beam_width, use_cache=False))
        assert torch.equal(with_cache, translate(LearnersTransformer(model), SOURCE, 7, beam_width))


@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
def test_a_wide_beam_finds_what_exhaustive_search_finds(alpha):
    vocab_size, max_length = 5, 3
    endings = [
        list(tokens)
        for length in range(1, max_length + 1)
        for tokens in itertools.product(range(vocab_size), repeat=length)
        if EOS not in tokens[:-1] and (tokens[-1] == EOS or length == max_length)
    ]
    model = make_model(1, vocab_size=vocab_size).eval()
    targets = torch.tensor([[BOS, *tokens] + [PAD] * (max_length - len(tokens)) for tokens in endings])
    for source in SOURCE[:2]:
        with torch.no_grad():
            log_p = model(source.expand(len(endings), -1), targets[:, :-1]).log_softmax(-1)
        scores = []
        for tokens, row in zip(endings, log_p, strict=True):
            total = sum(row[position, token].item() for position, token in enumerate(tokens))
            scores.append(total / ((5 + len(tokens)) / 6) ** alpha)
        expected = endings[scores.index(max(scores))]
        found = translate(model, source[None], max_length, beam_width=5**3, alpha=alpha).tolist()
        assert found == [expected]


def test_a_model_may_bring_its_own_steps():
    class Counting(nn.Module):
        """Writes source token + 1, + 2, ... and ends after three."""

        def start_decoding(self, source):
            return {"source": source, "step": torch.zeros(len(source), dtype=torch.long)}

        def decode_step(self, tokens, state):
            step = state["step"] + 1
            word = torch.where(step > 3, EOS, state["source"][:, 0] + step)
            return nn.functional.one_hot(word, 20).float() * 9, {"source": state["source"], "step": step}

    expected = [[5, 6, 7, EOS], [10, 11, 12, EOS], [6, 7, 8, EOS]]
    for beam_width in (1, 3):
        assert translate(Counting(), SOURCE, 9, beam_width).tolist() == expected


class BreaksError(Exception):
    pass


@pytest.mark.parametrize("beam_width", [1, 2])
@pytest.mark.parametrize("breaks", [False, True])
def test_modes_come_back_and_no_gradient_is_kept(beam_width, breaks):
    model = make_model(dropout=0.5)
    model.train()
    model.encoder_blocks.eval()  # a part may be frozen
    modes = [module.training for module in model.modules()]
    seen = []

    def watch(module, arguments, output):
        seen.append((model.training, torch.is_grad_enabled(), output.requires_grad))
        if breaks:
            raise BreaksError

    handle = model.output_layer.register_forward_hook(watch)
    if breaks:
        with pytest.raises(BreaksError):
            translate(model, SOURCE, 4, beam_width)
    else:
        first = translate(model, SOURCE, 4, beam_width)
        assert torch.equal(first, translate(model, SOURCE, 4, beam_width))  # no dropout
    handle.remove()
    assert set(seen) == {(False, False, False)}
    assert [module.training for module in model.modules()] == modes
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("beam_width", [1, 2])
@pytest.mark.parametrize(
    ("source", "max_length", "shape"), [(SOURCE, 0, (3, 0)), (SOURCE[:0], 5, (0, 0)), (SOURCE[:, :0], 1, (3, 1))]
)
def test_edges(beam_width, source, max_length, shape):
    result = translate(make_model(), source, max_length, beam_width)
    assert (result.shape, result.dtype) == (shape, torch.long)


def test_a_model_can_be_trained_after_it_has_decoded():
    class KeepsItsMask(LearnersTransformer):
        mask = None

        def decode(self, target, memory, source):
            logits = super().decode(target, memory, source)
            if self.mask is None:
                self.mask = torch.ones(logits.shape[-1], dtype=torch.bool)
            return logits.masked_fill(~self.mask, 0.0)

    for model in (make_model(), KeepsItsMask(make_model())):
        tokens = translate(model, SOURCE, 4)
        model(SOURCE, tokens).sum().backward()
        assert all(parameter.grad is not None for parameter in model.parameters())


def test_device_follows_the_source(device):
    model = make_model().float().to(device)
    for beam_width in (1, 2):
        assert translate(model, SOURCE.to(device), 3, beam_width).device.type == device.type


def random_corpus(rng, num_sentences, vocab_size, lengths=(0, 12), noise=0.3):
    references = [[f"w{rng.randrange(vocab_size)}" for _ in range(rng.randint(*lengths))] for _ in range(num_sentences)]
    hypotheses = []
    for reference in references:
        words = [word if rng.random() > noise else f"w{rng.randrange(vocab_size)}" for word in reference]
        hypotheses.append(words[rng.randint(0, 2) :] + ["w0"] * rng.randint(0, 2))
    return hypotheses, references


def sacrebleu_score(hypotheses, references, max_order=4):
    metric = sacrebleu.BLEU(tokenize="none", smooth_method="none", max_ngram_order=max_order, force=True)
    return metric.corpus_score([" ".join(h) for h in hypotheses], [[" ".join(r) for r in references]]).score


@pytest.mark.parametrize("max_order", [1, 2, 4, 6])
@pytest.mark.parametrize("noise", [0.0, 0.2, 0.9])
@pytest.mark.parametrize("num_sentences", [1, 3, 40])
def test_bleu_equals_sacrebleu(num_sentences, noise, max_order):
    for seed in range(5):
        for vocab_size in (3, 200):  # few words repeat within a sentence, so that clipping counts
            corpus = random_corpus(random.Random(seed), num_sentences, vocab_size, noise=noise)
            assert corpus_bleu(*corpus, max_order) == pytest.approx(sacrebleu_score(*corpus, max_order), abs=1e-9)


REAL = [
    ("Le chat noir dort sur le canapé .", "Le chat noir dort sur le vieux canapé ."),
    ("Elle ne mange pas de viande .", "Elle ne mange pas de viande ."),
    ("Nous avons vu deux films hier soir .", "Hier soir , nous avons vu deux films ."),
]


def test_bleu_of_sentences_and_its_asymmetry():
    hypotheses, references = ([pair[side].split() for pair in REAL] for side in (0, 1))
    assert corpus_bleu(hypotheses, references) == pytest.approx(sacrebleu_score(hypotheses, references))
    assert corpus_bleu(references, references) == pytest.approx(100.0)
    assert corpus_bleu(hypotheses, references) != pytest.approx(corpus_bleu(references, hypotheses))
    per_sentence = [corpus_bleu([h], [r]) for h, r in zip(hypotheses, references, strict=True)]
    assert corpus_bleu(hypotheses, references) != pytest.approx(sum(per_sentence) / 3)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "max_order", "expected"),
    [
        ("the the the the the the the", "the cat is on the mat", 1, 100 * 2 / 7),  # the example of the paper
        ("a b c d e x", "a b c d e f", 2, 100 * (5 / 6 * 4 / 5) ** 0.5),
        ("a b c d", "a b c d e", 4, 100 * 2.718281828459045 ** (1 - 5 / 4)),
        ("a b c", "a b c", 4, 0.0),  # no sequence of four, so none is right
        ("x y z u", "a b c d", 1, 0.0),
        ("", "a b", 4, 0.0),
        ("a b", "", 4, 0.0),
        ("", "", 4, 0.0),
    ],
)
def test_bleu_by_hand(hypothesis, reference, max_order, expected):
    assert corpus_bleu([hypothesis.split()], [reference.split()], max_order) == pytest.approx(expected)


def test_bleu_takes_token_ids_too_and_leaves_them_alone():
    hypotheses, references = [[4, 5, 6, 7, 8], []], [(4, 5, 6, 7, 9), (5,)]
    words = [[str(t) for t in h] for h in hypotheses], [[str(t) for t in r] for r in references]
    assert corpus_bleu(hypotheses, references) == pytest.approx(corpus_bleu(*words))
    assert corpus_bleu([], []) == 0.0
    assert hypotheses == [[4, 5, 6, 7, 8], []]


ATTENTION = MultiHeadAttention(12, 3)
X = torch.zeros(2, 1, 12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cached_attention(ATTENTION, X.expand(2, 4, 12), None), r"x: expected shape \(batch, 1, 12\)"),
        (lambda: cached_attention(ATTENTION, X.long(), None), "x: expected a floating dtype"),
        (
            lambda: cached_attention(ATTENTION, X, (torch.zeros(2, 4, 5, 3),) * 2),
            r"cache\[0\]: expected shape \(2, 3, length, 4\), got \(2, 4, 5, 3\)",
        ),
        (
            lambda: cached_attention(ATTENTION, X, (torch.zeros(2, 3, 5, 4), torch.zeros(2, 3, 6, 4))),
            r"cache\[1\]: expected shape \(2, 3, 5, 4\), got \(2, 3, 6, 4\)",
        ),
        (
            lambda: cached_attention(ATTENTION, X, None, torch.ones(2, 3, 1, 2, dtype=torch.bool)),
            r"mask: expected a shape that broadcasts to \(2, 3, 1, 1\)",
        ),
        (lambda: translate(make_model(), SOURCE[0], 5), r"source: expected shape \(batch, source_length\)"),
        (lambda: translate(make_model(), SOURCE, -1), "max_length: expected an integer of at least 0, got -1"),
        (lambda: translate(make_model(), SOURCE, 5, 0), "beam_width: expected an integer of at least 1, got 0"),
        (lambda: corpus_bleu([["a"]], []), "references: expected one for each of 1 hypotheses, got 0"),
        (lambda: corpus_bleu([["a"]], ["a b"]), "references: expected lists of tokens, got the string 'a b' at 0"),
        (lambda: corpus_bleu([["a"]], [["a"]], 0), "max_order: expected an integer of at least 1, got 0"),
        (
            lambda: corpus_bleu(translate(make_model(), SOURCE, 5), [[4], [5], [6]]),
            r"hypotheses: expected lists of tokens, got a tensor of shape \(3, ",
        ),
        (lambda: corpus_bleu([[4]], SOURCE[:1]), "references: expected lists of tokens, got a tensor"),
        (
            lambda: corpus_bleu(list(SOURCE), list(SOURCE)),
            "hypotheses: expected lists of words or ids, got tensors at 0",
        ),
        (lambda: corpus_bleu([[4]], [list(SOURCE[0])]), "references: expected lists of words or ids, got tensors at 0"),
    ],
)
def test_errors_name_argument_expected_and_got(call, message):
    with pytest.raises(ValueError, match=message):
        call()
