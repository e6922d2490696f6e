"""Weights that the pages load."""

import re

import pytest
import torch
from notebooks import ROOT
from torch import nn

from experiments.weights.run import MAKERS, fingerprint
from experiments.weights.stored import FOLDER, load_weights, read_metadata, save_weights


class Tied(nn.Module):
    """Two names of one tensor, as in a translator with tied weights."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)
        self.second.weight = self.first.weight


def test_a_page_computes_with_the_numbers_that_were_measured(tmp_path):
    kept, other = Tied(), Tied().train()
    save_weights("tied", kept, {"of": "a test"}, tmp_path)
    assert load_weights("tied", other, tmp_path) is other
    assert not other.training
    assert other.second.weight is other.first.weight
    for ours, theirs in zip(kept.parameters(), other.parameters(), strict=True):
        assert ours.dtype == theirs.dtype == torch.float32
        assert torch.equal(ours, theirs)
    assert read_metadata("tied", tmp_path)["of"] == "a test"


def test_a_weight_that_16_bits_do_not_hold_is_refused(tmp_path):
    model = Tied()
    with torch.no_grad():
        model.first.weight[0, 0] = 1e5
    with pytest.raises(ValueError, match=r"65,504"):
        save_weights("tied", model, {}, tmp_path)


@pytest.mark.parametrize("name", MAKERS)
def test_stored_weights_are_of_these_settings(name):
    assert read_metadata(name)["of"] == fingerprint(name), f"make them anew: python -m experiments.weights {name}"


def test_every_file_has_a_maker_and_a_page():
    files = list(FOLDER.glob("*.safetensors"))
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "book").glob("*.md"))
    loaded = set(re.findall(r'load_weights\("(\w+)"', pages))
    assert {path.stem for path in files} == set(MAKERS) == loaded
    assert sum(path.stat().st_size for path in files) < 2e6
