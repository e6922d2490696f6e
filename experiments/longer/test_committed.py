"""What the committed file of this experiment holds, and that this program wrote it."""

import random

import pytest
import torch

from experiments.ladder import run as ladder
from experiments.longer import run as longer
from experiments.longer.joining import JoiningTrainer, join_pairs, positions_from
from experiments.results import committed
from transformer_course.common.tokens import BOS, EOS
from transformer_course.training.config import TrainingConfig
from transformer_course.training.ladder.models import small_transformer
from transformer_course.training.languages import built_in_language


@pytest.fixture(scope="module")
def language():
    return built_in_language()


def test_every_run_of_the_longer_sentences_has_its_seeds_and_the_settings_of_the_ladder():
    kept = committed("longer")
    assert kept["settings"]["transformer"] == ladder.SETTINGS["transformer"]
    assert kept["settings"]["cpu_seconds"] == ladder.CPU_SECONDS
    for name, (_, options, _) in longer.TRAINERS.items():
        of_name = [run for run in kept["runs"] if run["run"] == name]
        assert sorted(run["seed"] for run in of_name) == ([0] if name in longer.ONE_SEED else [0, 1, 2])
        assert all(run["options"] == options for run in of_name)


def test_the_longer_sentences_to_choose_on_are_in_no_split(language):
    pairs = longer.longer_validation(language, number=200)
    known = {pair.source for split in language.splits.values() for pair in split}
    assert len(pairs) > 190
    assert known.isdisjoint(pair.source for pair in pairs)
    assert all(21 <= len(pair.source) <= 30 for pair in pairs)


def test_joined_pairs_hold_every_sentence_once():
    examples = [([10 + i, EOS], [BOS, 20 + i, 30 + i, EOS]) for i in range(7)]
    joined = join_pairs(examples, 0.6, random.Random(0))
    assert sorted(len(source) for source, _ in joined) == [2, 2, 2, 3, 3]
    assert sorted(token for source, _ in joined for token in source[:-1]) == [10 + i for i in range(7)]
    for source, target in joined:
        assert source[-1] == EOS
        assert target[0] == BOS
        assert target[-1] == EOS
        assert target[1:-1] == [token + more for token in source[:-1] for more in (10, 20)]
    with pytest.raises(ValueError, match="share: expected a number from 0 to 1"):
        join_pairs(examples, 1.5, random.Random(0))


def test_pairs_are_joined_after_the_plain_passes_and_the_same_way_when_a_run_goes_on():
    examples = [([10 + i, EOS], [BOS, 20 + i, EOS]) for i in range(8)]
    config = TrainingConfig(num_steps=1)
    trainer, again = (JoiningTrainer(small_transformer(20, 30), examples, config, 0.5, num_plain=1) for _ in range(2))
    assert trainer.examples_of_epoch() == examples
    trainer.progress.epoch = again.progress.epoch = 1
    first = trainer.examples_of_epoch()
    assert len(first) == 6
    assert first == again.examples_of_epoch()
    trainer.progress.epoch = 2
    assert first != trainer.examples_of_epoch()


def test_positions_that_start_late_are_those_behind_other_tokens():
    torch.manual_seed(0)
    embedding = small_transformer(20, 30).source_embedding
    model = torch.nn.Module()
    model.source_embedding, model.target_embedding = embedding, embedding
    tokens = torch.tensor([[7, 8, 9]])
    with positions_from(model, 5, 5):
        late = embedding(tokens)
    torch.testing.assert_close(late, embedding(tokens, start=5))
    torch.testing.assert_close(embedding(tokens), embedding(tokens, start=0))
