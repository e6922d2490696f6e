"""Training on scenes: the measures on models whose answers are known, and a few updates of each model."""

import pytest
import torch
from torch import nn

from transformer_course.common.tokens import EOS, PAD
from transformer_course.data.captions import CAPTION_LENGTH, CAPTION_WORDS, caption_tokens
from transformer_course.data.scenes import draw_scenes
from transformer_course.training import captions
from transformer_course.training.endless import train_endlessly


def test_endless_training_makes_the_updates_it_is_told_and_the_rate_falls_to_zero():
    model = nn.Linear(1, 1)
    rates = []
    losses = train_endlessly(
        model, lambda: model(torch.ones(1, 1)).square().sum(), 0.1, num_steps=40, after=rates.append
    )
    assert len(losses) == 40
    assert rates == list(range(1, 41))
    assert losses[-1] < losses[0]
    assert not model.training
    with pytest.raises(ValueError, match="num_steps"):
        train_endlessly(model, lambda: torch.zeros(()), 0.1)


def test_a_caption_is_exact_only_if_it_is_right_to_its_end():
    scenes = draw_scenes(50, "test", torch.Generator().manual_seed(0))
    written = caption_tokens(scenes)[:, 1:]
    assert captions.is_exact(written, scenes).all()
    short = written[:, : int((written != PAD).sum(dim=1).max())]
    assert captions.is_exact(short, scenes).all()
    endless = written.clone()
    endless[endless == EOS] = 4
    assert not captions.is_exact(endless, scenes).any()
    one_wrong = written.clone()
    one_wrong[:, 2] = CAPTION_WORDS.ids["above"]
    assert not captions.is_exact(one_wrong, scenes).any()


def test_a_model_without_training_writes_no_caption():
    torch.manual_seed(0)
    model = captions.new_captioner().eval()
    score = captions.score_captions(model, count=60)
    assert score["exact"] == 0


def test_written_captions_are_the_most_probable_words():
    torch.manual_seed(0)
    model = captions.new_captioner().eval()
    scenes, images, _ = captions.measured_scenes(5)
    written = captions.write_captions(model, images)
    assert written.shape[1] <= CAPTION_LENGTH
    read = torch.cat([torch.ones(5, 1, dtype=torch.long), written[:, :-1]], dim=1)
    expected = model(images, read).argmax(dim=-1)
    ended = (written == EOS).cumsum(dim=1) - (written == EOS).long() > 0
    assert written[~ended].equal(expected[~ended])
    assert (written[ended] == PAD).all()
