"""What chapter 12 measures of every head: known answers on small models."""

import math

import pytest
import torch

from experiments.inside_seeds import head_study
from transformer_course.common.tokens import BOS, EOS, Vocabulary
from transformer_course.data.corpus import load_corpus
from transformer_course.data.sentences import SentencePair
from transformer_course.inside_attention import head_importance
from transformer_course.transformer import Transformer


@pytest.fixture(scope="module")
def small():
    pairs = [pair for pair in load_corpus(num_train=400, num_test=40).train if len(pair.source) <= 6]
    english = Vocabulary.from_sentences(pair.source for pair in pairs)
    french = Vocabulary.from_sentences(pair.target for pair in pairs)
    torch.manual_seed(0)
    model = Transformer(len(english), len(french), 12, 3, 1, 2, 16, dropout=0.0, norm_first=True).eval()
    return model, pairs[:30], english, french


def test_the_loss_is_that_of_one_sentence_after_the_other(small):
    model, pairs, english, french = small
    total = count = 0
    with torch.no_grad():
        for pair in pairs:
            words = torch.tensor([*french.encode(pair.target), EOS])
            inputs = torch.cat([torch.tensor([BOS]), words[:-1]]).unsqueeze(0)
            logits = model(torch.tensor([[*english.encode(pair.source), EOS]]), inputs)[0]
            total -= logits.log_softmax(dim=-1).gather(1, words.unsqueeze(1)).sum().item()
            count += len(words)
    sentences = head_study.in_batches(pairs, english, french)
    assert sentences.num_tokens == count
    assert head_study.nats_per_token(model, sentences) == pytest.approx(total / count, rel=1e-5)


def test_maps_have_the_shapes_of_their_kinds(small):
    model, pairs, english, french = small
    maps = head_study.maps_of(model, pairs[0], english, french)
    source, target = len(pairs[0].source) + 1, len(pairs[0].target) + 1
    assert {kind: tuple(m.shape) for kind, m in maps.items()} == {
        "encoder": (1, 3, source, source),
        "decoder self": (2, 3, target, target),
        "cross": (2, 3, target, source),
    }


def test_even_rows_are_as_wide_as_can_be_and_sharp_ones_confident():
    even = torch.full((1, 2, 3, 4), 0.25)
    torch.testing.assert_close(head_study.width(even), torch.ones(1, 2))
    sharp = torch.zeros(1, 1, 2, 4)
    sharp[0, 0, 0, 1] = sharp[0, 0, 1, 3] = 1.0  # the second row looks at the end of the sentence
    assert head_study.confidence(sharp).item() == 0.5
    assert head_study.width(sharp).item() == 0.0


def test_silencing_and_the_mean_of_a_head_that_always_says_the_same(small):
    model, pairs, english, french = small
    sentences = head_study.in_batches(pairs, english, french)
    module = model.decoder_blocks[0].cross_attention
    rises = head_study.silencing(model, "cross", sentences)
    (drop,) = head_importance([(module, 1)], lambda: -head_study.nats_per_token(model, sentences))
    assert rises[1].item() == pytest.approx(drop, rel=1e-6)
    saved = module.w_value.weight.detach().clone(), module.w_value.bias.detach().clone()
    with torch.no_grad():
        module.w_value.weight[4:8] = 0  # head 1 says its bias, whatever it reads
        module.w_value.bias[4:8] = 2
        constant = head_study.mean_ablation(model, "cross", sentences)
        module.w_value.weight.copy_(saved[0])
        module.w_value.bias.copy_(saved[1])
    assert constant[1].item() == pytest.approx(0, abs=1e-5)
    assert constant[0].abs().item() > 1e-5


def test_minimal_pairs_differ_in_one_word(small):
    _, _, english, french = small
    pairs = [pair for pair in load_corpus(num_train=400, num_test=40).train if len(pair.source) <= 6]
    found = head_study.minimal_pairs(pairs, 5)
    assert found
    for one, other, place in found:
        assert sum(a != b for a, b in zip(one.source, other.source, strict=True)) == 1
        assert [i for i, (a, b) in enumerate(zip(one.target, other.target, strict=True)) if a != b] == [place]


def test_the_first_self_attention_of_the_decoder_carries_nothing_of_the_source(small):
    model, pairs, english, french = small
    every = [pair for pair in load_corpus(num_train=400, num_test=40).train if len(pair.source) <= 6]
    examples = head_study.minimal_pairs(every, 3)
    shares = head_study.patching(model, "decoder self", examples, english, french)
    assert shares.shape == (len(examples), 6)
    torch.testing.assert_close(shares[:, :3], torch.zeros(len(examples), 3), atol=1e-4, rtol=0)
    assert head_study.patching(model, "cross", examples, english, french).abs().max() > 1e-4


def test_a_model_that_ignores_its_last_cross_attention_has_distant_weights(small):
    model, pairs, english, french = small
    output = model.decoder_blocks[1].cross_attention.w_output
    saved = output.weight.detach().clone()
    source = torch.tensor([[*english.encode(pairs[0].source), EOS]])
    target = torch.tensor([[BOS, *french.encode(pairs[0].target)]])
    with torch.no_grad():
        output.weight.zero_()
    try:
        found, moved, at_random = head_study.distant_weights(
            model, source, target, num_steps=60, generator=torch.Generator().manual_seed(0)
        )
    finally:
        with torch.no_grad():
            output.weight.copy_(saved)
    torch.testing.assert_close(moved, torch.zeros_like(moved), atol=1e-5, rtol=0)
    assert (found > 0.4).all()
    assert (found >= at_random - 1e-6).all()
    assert found.max() <= math.log(2) + 1e-5


def test_rank_correlation():
    numbers = torch.tensor([3.0, 1.0, 2.0, 5.0])
    assert head_study.rank_correlation(numbers, numbers.exp()) == pytest.approx(1)
    assert head_study.rank_correlation(numbers, -numbers) == pytest.approx(-1)


def test_the_shares_of_all_keys_are_one_and_a_sink_has_its_weight(small):
    model, pairs, english, french = small
    for kind in head_study.KINDS:
        weights, shares, norms = head_study.contributions(model, kind, pairs[0], english, french)
        assert weights.shape == shares.shape
        assert norms.shape == (len(weights), weights.shape[-1])
        torch.testing.assert_close(shares.sum(dim=-1), torch.ones(weights.shape[:2]), atol=1e-4, rtol=0)
    found = head_study.sink(model, "cross", -1, pairs[:3], english, french)
    maps = [head_study.maps_of(model, pair, english, french)["cross"] for pair in pairs[:3]]
    torch.testing.assert_close(found[0], torch.stack([m[..., -1].mean(dim=-1).flatten() for m in maps]).mean(dim=0))
    assert found[1, 0].item() == pytest.approx(sum(1 / m.shape[-1] for m in maps) / 3)


def test_an_even_row_of_the_decoder_gives_the_first_word_what_the_rows_before_it_leave():
    one = load_corpus(num_train=400, num_test=40).train[0]
    english, french = (Vocabulary.from_sentences([words]) for words in (one.source, one.target))
    torch.manual_seed(0)
    model = Transformer(len(english), len(french), 12, 3, 1, 1, 16, dropout=0.0, norm_first=True).eval()
    rows = len(one.target) + 1
    even = head_study.sink(model, "decoder self", 0, [one], english, french)[1]
    torch.testing.assert_close(even, torch.full((3,), sum(1 / i for i in range(2, rows + 1)) / (rows - 1)))


def test_the_diagonal_finds_nothing_off_the_diagonal_and_the_gold_map_all():
    torch.testing.assert_close(head_study.diagonal(2, 4)[0, 0], torch.eye(4)[[1, 3]])
    pairs = [pair for pair in load_corpus(num_train=400, num_test=40).train if len(pair.source) <= 6]
    shapes = [(len(pair.target), len(pair.source)) for pair in pairs]
    gold = []
    for pair, shape in zip(pairs, shapes, strict=True):
        gold.append(torch.zeros(1, 1, *shape))
        for row, column in pair.alignment:
            gold[-1][0, 0, row, column] = 1.0
    both = [torch.cat([head_study.diagonal(*s), g], dim=1) for s, g in zip(shapes, gold, strict=True)]
    shares, number = head_study.found_off_the_diagonal(both, pairs)
    assert shares.tolist() == [0.0, 1.0]
    assert number > 0


def test_a_table_of_places_looks_where_most_rows_like_it_are_linked():
    def pair(target, *alignment, source="a b c"):
        return SentencePair(tuple(source.split()), tuple(target.split()), frozenset(alignment))

    def with_word_before(words, row, n):
        return words[max(0, row - 1) : row], row, n

    train = [pair("x y", (0, 0), (1, 2)), pair("x z", (0, 0), (1, 2)), pair("x y", (0, 1), (1, 2)), pair("w y", (1, 0))]
    contexts = [with_word_before, lambda words, row, n: (row, n)]
    tests = [pair("x q"), pair("w q"), pair("new q"), pair("x q r", source="a b")]
    maps = head_study.places_by_table(train, tests, contexts)
    assert [each.shape[-2:] for each in maps] == [(2, 3)] * 3 + [(3, 2)]
    # After x the second word is linked to c, after w to a; after an unknown word most second words are linked to c.
    assert [each.argmax(dim=-1).flatten().tolist() for each in maps] == [[0, 2], [0, 0], [0, 2], [0, 1, 1]]


def test_swapped_words_take_their_links_along():
    pair = SentencePair(("a", "b", "c"), ("x", "y"), frozenset({(0, 0), (1, 1), (1, 2)}))
    other = SentencePair(("b", "a", "c"), ("x", "y"), frozenset({(0, 1), (1, 0), (1, 2)}))
    assert head_study.swapped(pair, 0) == other
    assert head_study.swapped(head_study.swapped(pair, 1), 1) == pair


def test_minds_changed_keeps_pairs_in_which_each_sentence_has_its_own_word(small):
    model, _, english, french = small
    every = [pair for pair in load_corpus(num_train=400, num_test=40).train if len(pair.source) <= 6]
    examples = head_study.minimal_pairs(every, 20)
    kept = head_study.minds_changed(model, examples, 20, english, french)
    for example in examples:
        before, after = (head_study.preference(model, example, i, english, french) for i in (0, 1))
        assert (example in kept) == (before < 0 < after)
