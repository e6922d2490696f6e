"""A committed file has the settings of the program that stands beside it, so that it is the one that wrote it."""

import importlib
import json
from pathlib import Path

import pytest

from experiments.results import committed

HERE = Path(__file__).parent
# Programs whose file holds all their settings and no others.
NAMES = [
    folder.name
    for folder in sorted(HERE.iterdir())
    if (folder / "run.py").is_file()
    and f'Results("{folder.name}", SETTINGS)' in (folder / "run.py").read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", NAMES)
def test_a_committed_file_has_the_settings_of_its_program(name):
    module = importlib.import_module(f"experiments.{name}.run")
    assert committed(name)["settings"] == json.loads(json.dumps(module.SETTINGS))


def test_most_experiments_are_looked_at():
    assert len(NAMES) > 12
