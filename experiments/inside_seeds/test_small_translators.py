"""The small translators of chapters 10 to 12."""

import torch

from experiments.inside_seeds.small_translators import LONGEST, SETTINGS, SIZES, train_small_translator
from experiments.results import committed


def test_a_small_translator_is_trained_and_keeps_what_it_was():
    small = train_small_translator(num_train=200, num_steps=2)
    assert len(small.losses) == 2
    assert max(len(pair.source) for pair in small.train + small.test) <= LONGEST
    assert not {pair.source for pair in small.train} & {pair.source for pair in small.test}
    again = train_small_translator(num_train=200, num_steps=2)
    source, target = torch.tensor([[4, 5, 2]]), torch.tensor([[1, 6]])
    with torch.no_grad():
        after, before = small.model(source, target), small.untrained(source, target)
    assert after.shape == (1, 2, len(small.french))
    assert not torch.allclose(after, before)
    torch.testing.assert_close(after, again.model(source, target).detach())


def test_result_files_are_of_these_settings():
    for name in ("beams", "inside_seeds", "heads_together"):
        kept = committed(name)["settings"]
        assert {key: kept[key] for key in SETTINGS | SIZES} == SETTINGS | SIZES
        assert kept["longest"] == LONGEST
