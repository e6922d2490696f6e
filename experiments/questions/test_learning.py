"""The models that answer questions about scenes, and the one that matches captions, learn from the first updates."""

import pytest
import torch

from experiments.questions import answering, matching
from experiments.questions.asking import ANSWERS
from transformer_course.training import captions


@pytest.mark.parametrize("name", answering.MODELS)
def test_answering_learns_something_at_once(name):
    torch.manual_seed(0)
    model = answering.MODELS[name]()
    losses = answering.train_answerer(model, 0, num_steps=6)
    assert losses[0] > losses[-1]
    assert 0 <= answering.score_answers(model, count=40)["all"] <= 1
    scenes, images, _ = captions.measured_scenes(4)
    questions = torch.tensor([[4, 5, 7, 8, 9, 0, 0, 0, 0, 0]] * 4)
    logits = model.eval()(images, questions)
    assert logits.shape == (4, len(ANSWERS))
    # Padding says nothing, and a picture says something to all but one.
    torch.testing.assert_close(model(images, questions[:, :5]), logits)
    assert torch.allclose(model(images.flip(0), questions), logits) == (name == "language alone")


def test_matching_learns_something_at_once():
    torch.manual_seed(0)
    model = matching.Matcher()
    losses = matching.train_matcher(model, 0, num_steps=6, batch=16)
    assert losses[0] > losses[-1]
    assert matching.recall(model, count=10, rounds=1).keys() == {"caption", "picture"}
    told = matching.tell_apart(model, count=40)
    known, new = (told.pop(f"number, {name}") for name in ("known pairs", "held-out pair"))
    assert known + new == 40
    by_pair = known * told["colours exchanged, known pairs"] + new * told["colours exchanged, held-out pair"]
    assert by_pair / 40 == pytest.approx(told["colours exchanged"])
    assert all(0 <= share <= 1 for share in (*told.values(), *matching.zero_shot(model, count=10).values()))
