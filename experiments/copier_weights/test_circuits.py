"""Circuits as products of weights, held against models that are run; and what is committed of the copiers."""

import math

import pytest
import torch
from torch import nn

from experiments.copier_circuit.circuit import heads_cut
from experiments.copier_weights import circuits, gpt, rebuilt
from experiments.copier_weights.run import COPIES, FINDS, KINDS, SEEDS, WRITES, above, explained, study
from experiments.induction.copying import AttentionOnly, make_model, read
from experiments.results import committed
from experiments.weights.stored import load_weights
from transformer_course.language_model import LanguageModel

STORED = {"attention only": "copier", "language model": "gpt_copier"}
LETTERS, WIDTH, HEADS = 7, 12, 2


class NoDivisor(nn.LayerNorm):
    """A norm that does not divide, so that everything but the softmax is linear."""

    def forward(self, x):
        return (x - x.mean(dim=-1, keepdim=True)) * self.weight + self.bias


class Says(nn.Module):
    """In the place of layer 0: add given vectors to the stream."""

    def __init__(self, added):
        super().__init__()
        self.added = added

    def forward(self, x):
        return self.added, None


@pytest.fixture
def small():
    """A copier without biases and with gains, whose norms do not divide."""
    torch.manual_seed(0)
    model = AttentionOnly(2, LETTERS, WIDTH, HEADS).double()
    for i in (1, 2):
        model.norms[i] = NoDivisor(WIDTH).double()
    for name, weight in model.named_parameters():
        if "norms" in name and "weight" in name:
            nn.init.normal_(weight)
    return model.eval()


TEXTS = torch.tensor([[3, 1, 6, 3, 1], [0, 2, 4, 5, 0]])


def test_told_nothing_a_copier_runs_as_before_and_told_its_own_maps_too():
    torch.manual_seed(1)
    model = AttentionOnly(2, LETTERS, WIDTH, HEADS).double()
    logits, maps = read(model, TEXTS)
    own = {(layer, head): maps[:, layer, head] for layer in range(2) for head in range(HEADS)}
    torch.testing.assert_close(rebuilt.logits_of(model, TEXTS), logits)
    torch.testing.assert_close(rebuilt.logits_of(model, TEXTS, own), logits)
    nothing = {(0, 1): torch.zeros(5, 5, dtype=torch.float64)}
    with heads_cut(model, 0, [1]):
        torch.testing.assert_close(rebuilt.logits_of(model, TEXTS, nothing), model(TEXTS).detach())


def test_a_norm_with_its_own_divisor_says_the_same():
    torch.manual_seed(1)
    model = AttentionOnly(2, LETTERS, WIDTH, HEADS).double()
    for norm in model.norms:
        nn.init.normal_(norm.bias)
    one = TEXTS[:1, :1]  # a single position, so that the mean divisor is the divisor
    divisors = rebuilt.mean_divisors(model, one)
    torch.testing.assert_close(rebuilt.logits_of(model, one, None, divisors), model(one).detach(), atol=1e-4, rtol=1e-4)


def test_scores_by_distance_are_the_mean_scores_of_layer_0(small):
    """One letter before another, at each distance, for all pairs: the scores follow from the weights of the head."""
    found = circuits.scores_by_distance(small, 4)
    own, text = small.attentions[0].layers, torch.zeros(1, 4, dtype=torch.long)
    for query in range(LETTERS):
        for distance in range(1, 4):
            ratios = []
            for key in range(LETTERS):
                text[0, :] = query
                text[0, 3 - distance] = key
                weights = small.attentions[0](small.norms[0](small.token(text)))[1][0, :, 3]  # (heads, 4)
                ratios.append((weights[:, 3 - distance] / weights[:, 3]).log())  # against the letter itself
            itself = found_itself(own, small.norms[0](small.token.weight[query]))
            expected = torch.stack(ratios).mean(dim=0) + itself
            torch.testing.assert_close(found[:, query, distance], expected.detach())


def found_itself(attention, x):
    """Give the score of a letter with itself at the same position: no rotation."""
    query, key = (layer(x).unflatten(-1, (HEADS, -1)) for layer in (attention.w_query, attention.w_key))
    return (query * key).sum(dim=-1) / math.sqrt(WIDTH // HEADS)


def test_weight_and_rows_on_the_previous_position_by_hand():
    by_distance = torch.tensor([0.0, math.log(3), math.log(2)]).view(1, 1, 3)
    torch.testing.assert_close(circuits.weight_on_previous(by_distance), torch.tensor([(3 / 4 + 3 / 6) / 2]))
    assert circuits.rows_on_previous(by_distance).item() == 1
    later = torch.tensor([0.0, 1.0, 2.0]).view(1, 1, 3)
    assert circuits.rows_on_previous(later).item() == 0.5  # from position 2 on, the distance 2 is better


def test_what_a_head_says_is_what_attending_adds_to_the_logits(small):
    """Layer 0 and the other head cut: the logits differ by the row of the attended letter."""
    cut = torch.zeros(5, 5, dtype=torch.float64)
    silent = {(layer, head): cut for layer in range(2) for head in range(HEADS)}
    at = cut.clone()
    at[4, 2] = 1
    said = circuits.says(small)
    for head in range(HEADS):
        added = rebuilt.logits_of(small, TEXTS, silent | {(1, head): at}) - rebuilt.logits_of(small, TEXTS, silent)
        torch.testing.assert_close(added[:, 4], said[head, TEXTS[:, 2]])


def test_notes_are_what_layer_0_adds(small):
    at = torch.zeros(5, 5, dtype=torch.float64)
    at[4, 1] = 1
    note = circuits.notes(small)
    with torch.no_grad():
        for head in range(HEADS):
            attention = small.attentions[0].layers
            value = attention.w_value(small.norms[0](small.token(TEXTS))).unflatten(-1, (HEADS, -1))[:, 1, head]
            merged = torch.zeros(2, HEADS, WIDTH // HEADS, dtype=torch.float64)
            merged[:, head] = value
            torch.testing.assert_close(attention.w_output(merged.flatten(1)), note[head, TEXTS[:, 1]])


def test_the_divisor_is_the_mean_over_letters_and_notes(small):
    bias = small.attentions[0].layers.w_output.bias
    nn.init.normal_(bias)
    note, found = circuits.notes(small), []
    for letter in range(LETTERS):
        for noted in range(LETTERS):
            x = (
                small.token.weight[letter]
                + note[1, noted]
                + note[0].mean(dim=0)
                + small.attentions[0].layers.w_output.bias
            )
            found.append((x - x.mean()).square().mean().sqrt().item())
    assert circuits.divisor_of_layer_1(small, [1]) == pytest.approx(sum(found) / len(found))


def test_a_note_at_a_key_changes_the_score_by_the_product(small):
    note = circuits.notes(small)[0]
    quiet = torch.zeros(2, 5, WIDTH, dtype=torch.float64)
    noted = quiet.clone()
    noted[:, 1] = note[TEXTS[:, 0]]
    scores = []
    for added in (quiet, noted):
        small.attentions[0] = Says(added)
        scores.append(rebuilt.scores_in_layer_1(small, TEXTS)[:, :, 4, 1])  # (batch, heads)
    expected = circuits.finds(small, note, 3)[:, TEXTS[:, 4], TEXTS[:, 0]]  # (heads, batch)
    torch.testing.assert_close(scores[1] - scores[0], expected.T)


def test_scores_in_layer_1_give_its_maps():
    torch.manual_seed(1)
    model = AttentionOnly(2, LETTERS, WIDTH, HEADS).double()
    for name, weight in model.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(weight)
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    scores = rebuilt.scores_in_layer_1(model, TEXTS).masked_fill(future, -math.inf)
    torch.testing.assert_close(scores.softmax(dim=-1), read(model, TEXTS)[1][:, 1])


def test_products_alone_are_a_table_that_is_looked_up(small):
    logits, weights, scores = rebuilt.products_alone(small, TEXTS, [0, 1], [1], divisor=2.0)
    note = circuits.notes(small).sum(dim=0)
    by_hand = [circuits.finds(small, note, 4 - s)[1, TEXTS[0, 4], TEXTS[0, max(s - 1, 0)]] / 4 for s in range(5)]
    torch.testing.assert_close(scores[0, 0, 4], torch.stack(by_hand))
    mixed = sum(w * circuits.says(small)[1, letter] for w, letter in zip(weights[0, 0, 4], TEXTS[0], strict=True))
    torch.testing.assert_close(logits[0, 4], mixed)


def test_ideal_patterns_are_those_of_a_loop():
    found = rebuilt.after_the_earlier(TEXTS, further=1)
    for text, weights in zip(TEXTS.tolist(), found, strict=True):
        for t, letter in enumerate(text):
            earlier = [s for s in range(t) if text[s] == letter]
            expected = torch.zeros(5)
            if earlier and earlier[-1] + 2 <= t:
                expected[earlier[-1] + 2] = 1
            assert torch.equal(weights[t], expected)


def test_random_matrices_have_the_norms_of_those_that_are_there(small):
    of = circuits.parts(small.attentions[1].layers)
    drawn = circuits.random_parts(of, torch.Generator().manual_seed(0))
    for name in ("query", "key", "value", "output"):
        ours, theirs = (torch.linalg.matrix_norm(getattr(each, name)) for each in (drawn, of))
        torch.testing.assert_close(ours, theirs)
        assert not torch.equal(getattr(drawn, name), getattr(of, name))


def test_what_is_explained_is_a_squared_correlation():
    torch.manual_seed(0)
    scores = torch.randn(1, 1, 3, 3)
    assert explained(3 * scores + 1, scores) == pytest.approx([1.0])
    other = torch.randn(1, 1, 3, 3)
    row = torch.stack([other[0, 0, 2], scores[0, 0, 2]])  # rows of the second half: the last one
    assert explained(other, scores) == pytest.approx([torch.corrcoef(row)[0, 1].item() ** 2])


def test_weights_of_positions_are_means_over_all_pairs_of_letters():
    torch.manual_seed(0)
    model = LanguageModel(3, d_model=8, num_heads=2, num_layers=2, d_ff=16, max_length=4).double()
    nn.init.normal_(model.position.weight)
    block, scores = model.blocks[0], torch.zeros(2, 4, 4, dtype=torch.float64)
    for a in range(3):
        for b in range(3):
            x = [block.norm_1(model.token.weight[letter] + model.position.weight) for letter in (a, b)]
            query = block.self_attention.w_query(x[0]).unflatten(-1, (2, 4)).transpose(0, 1)
            key = block.self_attention.w_key(x[1]).unflatten(-1, (2, 4)).transpose(0, 1)
            scores += query @ key.mT / 2 / 9
    scores = scores.masked_fill(torch.ones(4, 4, dtype=torch.bool).triu(1), -math.inf)
    torch.testing.assert_close(gpt.weights_of_positions(model), scores.softmax(dim=-1).detach())


def test_the_pair_of_heads_that_write_together_is_found_wherever_they_write():
    weights = torch.full((3, 16, 16), 0.01)
    for j in range(1, 6):
        weights[2, j + 4, j] = 0.9
        weights[0, j + 4, j - 1] = 0.8
    letter, before, places = gpt.writing_pair(weights, period=6)
    assert (letter, before) == (2, 0)
    assert places.tolist() == [5, 6, 7, 8, 9]
    there = [gpt.read_there(weights, places, back) for back in (0, 1)]
    torch.testing.assert_close(torch.stack(there), torch.tensor([[0.01, 0.01, 0.9], [0.8, 0.01, 0.01]]))


def test_a_gpt_that_is_told_to_attend_elsewhere_says_something_else():
    torch.manual_seed(0)
    model = LanguageModel(5, d_model=8, num_heads=2, num_layers=2, d_ff=16, max_length=6).double().eval()
    tokens = torch.tensor([[0, 1, 2, 3, 4]])
    _, maps = read(model, tokens)
    own = [{0: maps[0, 0, 0], 1: maps[0, 0, 1]}, {1: maps[0, 1, 1, -2:]}]
    torch.testing.assert_close(gpt.logits_with(model, tokens, own), model(tokens).detach())
    first = torch.eye(5, dtype=torch.float64)[[0, 0]]
    changed = gpt.logits_with(model, tokens, [{}, {0: first}]) - model(tokens).detach()
    assert changed[0, :3].abs().max() < 1e-12
    assert changed[0, 3:].abs().max() > 1e-6


def test_a_letter_passes_the_feed_forward_network_only_if_it_should():
    torch.manual_seed(0)
    model = LanguageModel(5, d_model=8, num_heads=2, num_layers=2, d_ff=16, max_length=6).double().eval()
    note = torch.randn(5, 8, dtype=torch.float64)
    second = model.blocks[1]
    second.norm_1 = NoDivisor(8).double()
    with torch.no_grad():
        letter = model.token.weight
        passed = letter + model.blocks[0].feed_forward(model.blocks[0].norm_2(letter))
        for with_it, x in ((False, letter), (True, passed)):
            attention = second.self_attention
            query = attention.w_query(second.norm_1(x)).unflatten(-1, (2, 4)).transpose(0, 1)
            key = attention.w_key(second.norm_1(note)).unflatten(-1, (2, 4)).transpose(0, 1)
            torch.testing.assert_close(gpt.finds(model, note, with_it), query @ key.mT)
        nothing = torch.zeros(5, 8, dtype=torch.float64)
        model.norm = NoDivisor(8).double()
        value = second.self_attention.w_value(second.norm_1(note))
        both = model.norm(second.self_attention.w_output(value)) @ letter.T
        torch.testing.assert_close(gpt.says(model, note).sum(dim=0), both)
        assert not gpt.says(model, nothing).any()


@pytest.mark.parametrize("kind", KINDS)
def test_the_stored_copier_is_that_of_the_results(kind):
    kept = next(run for run in committed("copier_weights")["runs"] if run["kind"] == kind and run["seed"] == 0)
    live = study(kind, load_weights(STORED[kind], make_model(kind, 2)))
    for part in ("from_weights", "behaves"):
        for name, value in kept[part].items():
            if isinstance(value, list) and value and isinstance(value[0], float):
                assert live[part][name] == pytest.approx(value, abs=0.03), name
    assert live["from_weights"]["writers"] == kept["from_weights"]["writers"]
    assert live["rebuilt"] == pytest.approx(kept["rebuilt"], abs=0.03)  # 368 answers, on another processor


def test_all_seeds_are_there_and_heads_are_named_by_the_rules():
    runs = committed("copier_weights")["runs"]
    assert [(run["kind"], run["seed"]) for run in runs] == [(kind, seed) for kind in KINDS for seed in SEEDS]
    for run in runs:
        found = run["from_weights"]
        if run["kind"] == "attention only":
            assert found["writers"] == above(torch.tensor(found["writes"]), WRITES)
            finds, copies = above(torch.tensor(found["finds"]), FINDS), above(torch.tensor(found["copies"]), COPIES)
            assert found["copiers"] == [head for head in finds if head in copies]


def test_the_same_copiers_were_taken_apart_before():
    """The seeds that both files have are the same models: measured alike on the same texts."""
    before = {(run["kind"], run["seed"]): run for run in committed("copier_circuit")["runs"]}
    for run in committed("copier_weights")["runs"]:
        if (kept := before.get((run["kind"], run["seed"]))) is not None:
            assert run["behaves"]["accuracy"] == pytest.approx(kept["accuracy"], abs=0.01)
            assert run["behaves"]["induction"] == pytest.approx(kept["induction"][1], abs=0.02)
