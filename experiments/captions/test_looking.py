"""Where captioners look: measures on models whose answers are known."""

import pytest
import torch

from experiments.captions.looking import PatchesApart, hide_patches, measure_pointing, word_regions
from transformer_course.data.scenes import PATCH, describe
from transformer_course.training.captions import measured_scenes, new_captioner


def test_regions_of_words():
    scenes, _, owner = measured_scenes(20)
    regions = word_regions(scenes, owner)
    for patches, objects in zip(regions, describe(scenes), strict=True):
        for number, (*_, row, column) in enumerate(objects):
            for part in (1, 2, 3):
                assert patches[5 * number + part].nonzero().flatten().tolist() == [5 * row + column]
            if number + 1 < len(objects):
                assert patches[5 * number + 4].sum() == 2


def test_measures_of_a_model_without_training_are_those_of_chance():
    torch.manual_seed(0)
    model = new_captioner().eval()
    pointing = measure_pointing(model, count=60)
    assert pointing["colour"]["uniform"] == pytest.approx(1 / 25)
    assert pointing["colour"]["mean"][0] == pytest.approx(1 / 25, abs=0.03)
    hidden = hide_patches(model, count=20)
    assert len(hidden) == 9


def test_patches_apart_do_not_feel_one_another():
    torch.manual_seed(0)
    model = new_captioner(PatchesApart).eval()
    _, images, _ = measured_scenes(3)
    changed = images.clone()
    changed[:, :, :PATCH, :PATCH] = 1
    moved = (model.encode(changed) - model.encode(images)).abs().amax(dim=(0, 2)) > 1e-6
    assert moved.nonzero().flatten().tolist() == [0]
