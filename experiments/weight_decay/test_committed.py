"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.results import committed
from experiments.weight_decay import run as weight_decay


def test_only_the_decay_differs_from_the_ladder_where_there_is_none():
    of_ladder, without = (committed(name) for name in ("ladder", "weight_decay"))
    models, ladder_models = without["settings"].pop("models"), of_ladder["settings"].pop("models")
    assert models == weight_decay.SETTINGS
    for name, settings in models.items():
        assert settings.pop("weight_decay") == 0 < ladder_models[name].pop("weight_decay")
        assert settings == ladder_models[name]
        assert sorted(run["seed"] for run in without["runs"] if run["model"] == name) == [0, 1, 2]
    assert without["settings"] == of_ladder["settings"]
