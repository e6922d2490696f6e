"""Weights that the pages load."""

import re

import pytest
import torch
from notebooks import ROOT
from torch import nn

from experiments.stored_weights import FOLDER, MAKERS, fingerprint
from transformer_course.training.stored_weights import load_weights, read_metadata, save_weights


class Tied(nn.Module):
    """Two names of one tensor, as in a translator with tied weights."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)
        self.second.weight = self.first.weight


def test_a_page_computes_with_the_numbers_that_were_measured(tmp_path):
    kept, other = Tied(), Tied().train()
    save_weights(tmp_path / "tied.safetensors", kept, {"of": "a test"})
    assert load_weights(tmp_path / "tied.safetensors", other) is other
    assert not other.training
    assert other.second.weight is other.first.weight
    for ours, theirs in zip(kept.parameters(), other.parameters(), strict=True):
        assert ours.dtype == theirs.dtype == torch.float32
        assert torch.equal(ours, theirs)
    assert read_metadata(tmp_path / "tied.safetensors")["of"] == "a test"


def test_a_weight_that_16_bits_do_not_hold_is_refused(tmp_path):
    model = Tied()
    with torch.no_grad():
        model.first.weight[0, 0] = 1e5
    with pytest.raises(ValueError, match=r"65,504"):
        save_weights(tmp_path / "tied.safetensors", model, {})


@pytest.mark.parametrize("name", MAKERS)
def test_stored_weights_are_of_these_settings(name):
    assert read_metadata(FOLDER / f"{name}.safetensors")["of"] == fingerprint(name)


def test_every_file_has_a_maker_and_a_page():
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "book").glob("*.md"))
    read = set(re.findall(r"experiments/weights/(\w+)\.safetensors", pages))
    assert {path.stem for path in FOLDER.glob("*")} == set(MAKERS) == read
    assert sum(path.stat().st_size for path in FOLDER.glob("*")) < 2e6
