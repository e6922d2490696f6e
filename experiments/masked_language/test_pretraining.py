"""Chapter 14's training and baselines: gaps that can be learned, labels that a bag of words cannot know."""

import pytest
import torch

from experiments.masked_language.pretraining import (
    accuracy,
    batches_of_one_length,
    fine_tune,
    gap_loss,
    hide,
    labelled_tensors,
    load_text,
    prefers_the_right_form,
    pretrain,
    trim,
)
from experiments.masked_language.word_bags import bag_accuracy, counts
from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.data.agreement_pairs import draw_groups, labelled
from transformer_course.masked_language_model import NOT_ASKED, MaskedLanguageModel, SentenceClassifier


@pytest.fixture(scope="module")
def text():
    return load_text(900, 200)


def model_for(text):
    torch.manual_seed(0)
    return MaskedLanguageModel(len(text.vocabulary), 16, 2, 1, 32, max_length=32)


def test_the_text_has_a_word_that_hides(text):
    assert text.vocabulary.words[text.mask_id] == "<mask>"
    assert text.mask_id == len(text.vocabulary) - 1
    assert len(text.train) == len(text.words) > 400
    assert max(map(len, text.words)) <= 12
    assert text.encode([("the", "owl"), ("the",)]).tolist()[1][1] == PAD
    assert not {tuple(each.tolist()) for each in text.train} & {tuple(each.tolist()) for each in text.held_out}


def test_sentences_have_no_beginning_and_no_end(text):
    """The pseudo-log-likelihood counts every token but padding, and a gap never stands for these."""
    assert not torch.isin(text.encode(text.words), torch.tensor([BOS, EOS])).any()


def test_batches_hold_every_sentence_once_and_no_padding(text):
    batches = batches_of_one_length(text.train, 128, torch.Generator().manual_seed(0))
    seen = []
    while len(seen) < len(text.train):
        batch = next(batches)
        assert (batch != PAD).all()
        assert batch.numel() <= 128
        seen += map(tuple, batch.tolist())
    assert sorted(seen) == sorted(tuple(each.tolist()) for each in text.train)


@pytest.mark.parametrize(("shares", "hidden"), [(None, 0.8), ((1.0, 0.0), 1.0), ((0.0, 1.0), 0.0), ((0.0, 0.0), 0.0)])
def test_hide_has_its_shares(text, shares, hidden):
    tokens = torch.full((200, 200), 7)
    inputs, labels = hide(text.mask_id, len(text.vocabulary), shares)(tokens, torch.Generator().manual_seed(0))
    asked = labels != NOT_ASKED
    assert asked.double().mean().item() == pytest.approx(0.15, abs=0.01)
    assert (inputs[asked] == text.mask_id).double().mean().item() == pytest.approx(hidden, abs=0.02)


def test_a_few_updates_learn_something_and_the_same_seed_the_same(text):
    ask = hide(text.mask_id, len(text.vocabulary))
    looks = []
    models = [model_for(text) for _ in range(2)]
    runs = [pretrain(model, text.train, ask, 40, seed=1, look=looks.append) for model in models]
    assert runs[0].losses == runs[1].losses
    assert looks[:40] == list(range(1, 41))
    assert sum(runs[0].losses[-10:]) < sum(runs[0].losses[:10]) - 5
    assert (
        gap_loss(models[0], text.held_out[:50], text.mask_id)[0]
        < gap_loss(model_for(text), text.held_out[:50], text.mask_id)[0]
    )


def test_the_forms_of_a_model_that_counts_words(text):
    class Counter(MaskedLanguageModel):
        """Say of each word how often it stands in the text, whatever the sentence is."""

        def forward(self, tokens):
            return (
                torch.bincount(torch.cat(text.train), minlength=len(text.vocabulary)).double().expand(*tokens.shape, -1)
            )

    groups = draw_groups(8, 0)
    found = prefers_the_right_form(Counter(len(text.vocabulary), 4, 1, 0, 4), groups, text)
    # One form is the right one of one pair, and the wrong one of the other.
    assert found.view(-1, 2).sum(dim=1).tolist() == [1] * 8


def test_fine_tuning_can_learn_by_heart_and_frozen_moves_the_head_alone(text):
    tokens, labels = labelled_tensors(draw_groups(4, 0), text)
    torch.manual_seed(0)
    classifier = SentenceClassifier(model_for(text), 16, 2)
    before = classifier.encoder.token.weight.clone()
    fine_tune(classifier, tokens, labels, 3, frozen=True)
    assert torch.equal(classifier.encoder.token.weight, before)
    fine_tune(classifier, tokens, labels, 150, learning_rate=5e-3)
    assert accuracy(classifier, tokens, labels) == 1.0
    assert not torch.equal(classifier.encoder.token.weight, before)


def test_trim():
    assert trim(torch.tensor([[5, 6, 0, 0], [7, 0, 0, 0]])).tolist() == [[5, 6], [7, 0]]


def test_a_bag_of_words_stays_at_chance_and_can_learn_what_words_tell():
    sentences, labels = labelled(draw_groups(60, 0))
    test, test_labels = labelled(draw_groups(40, 1))
    assert bag_accuracy(sentences, labels, test, test_labels) == pytest.approx(0.5, abs=1e-9)
    plural = [int("see" in words or "two" in words or "are" in words) for words in sentences]
    assert bag_accuracy(sentences, plural, sentences, plural) == 1.0
    with pytest.raises(ValueError, match="longest"):
        bag_accuracy(sentences, labels, test, test_labels, 0)


def test_counts_by_hand():
    assert counts(("a", "b", "a"), 2) == {"a": 2, "b": 1, "a b": 1, "b a": 1}
