"""What the committed file of this experiment holds, and that this program wrote it."""

import torch

from experiments.long_range import run as long_range
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_the_runs_at_a_distance_are_there_once_with_all_ways():
    keys = [(run["part"], run["way"], run["seed"]) for run in runs("long_range")]
    assert len(keys) == len(set(keys))
    for way in long_range.WAYS:
        assert sorted(seed for part, name, seed in keys if (part, name) == ("copying", way)) == [0, 1, 2]
    for run in runs("long_range"):
        if run["part"] == "copying":
            assert list(run["copied"]) == [str(period) for period in long_range.PERIODS]


def test_a_model_that_sees_less_is_the_full_one_with_another_attention():
    tokens = torch.randint(64, (2, 12), generator=torch.Generator().manual_seed(0))
    models = {}
    for name, how in long_range.WAYS.items():
        torch.manual_seed(0)
        models[name] = long_range.RangeModel(how).double()
    # Within the window there is no difference, beyond it there is; linear attention differs from the third token on.
    torch.testing.assert_close(models["window of 16"](tokens), models["full"](tokens))
    long = tokens.repeat(1, 2)
    assert not torch.allclose(models["window of 16"](long)[:, -1], models["full"](long)[:, -1])
    assert not torch.allclose(models["linear"](tokens)[:, 2], models["full"](tokens)[:, 2])
    changed = tokens.clone()
    changed[:, 8:] = 0
    for name, model in models.items():
        assert torch.allclose(model(changed)[:, :8], model(tokens)[:, :8]), name
