"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.induction import run as induction
from experiments.results import committed


def runs(name: str) -> list[dict]:
    return committed(name)["runs"]


def test_every_model_is_there_once_and_with_the_first_seed():
    keys = [(run["kind"], run["num_layers"], run["seed"]) for run in runs("induction")]
    assert len(keys) == len(set(keys))
    models = {(kind, num_layers) for kind, num_layers, _ in keys}
    assert models == {(kind, num_layers) for kind, num_layers, seed in keys if seed == 0} == set(induction.MODELS)
