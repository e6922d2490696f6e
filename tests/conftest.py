"""What all tests share: one thread per process, the devices of this machine, and the tests of one unit."""

import re
import sys
from pathlib import Path

import pytest
import torch

from transformer_course.common.units import UNITS, Unit

torch.set_num_threads(1)

# Answers of learners, right, wrong and hostile: the tests read them as files and run them where they can do no harm.
# pretend_windows.py changes what `import` does for good; only programs of test_windows.py load it.
collect_ignore_glob = ["right_answers/*", "wrong_answers/*", "grader/cases/*", "pretend_windows.py"]
if sys.platform != "linux":  # the sandbox; a signal that ends loops; memory as Linux counts it
    collect_ignore_glob += [
        "grader",
        "book/test_pictures.py",
        "test_validity.py",
        "test_benchmarks.py",
        "test_*_benchmarks.py",
    ]

UNIT = pytest.StashKey[Unit | None]()


def pytest_addoption(parser) -> None:
    """Add `--unit 04`."""
    parser.addoption("--unit", help="only what concerns one unit and is neither slow nor needs the book: --unit 04")


def owner(path: Path) -> Unit | None:
    """Return the unit whose own file this is: its module, its tests, or a file in a folder named after it."""
    stem = path.stem.removeprefix("test_")
    found = [
        unit
        for unit in UNITS
        if unit.slug in (stem, path.parent.name) or (path.name.startswith("test_") and stem.startswith(f"{unit.slug}_"))
    ]
    return max(found, key=lambda unit: len(unit.slug), default=None)


def concerns(item: pytest.Item, unit: Unit) -> bool:
    """Say whether a test is in a file of the unit, or its parameters begin with the unit's name or number."""
    if item.get_closest_marker("slow") or item.get_closest_marker("book"):
        return False
    if file_of := owner(item.path):
        return file_of == unit
    parameters = item.name.partition("[")[2]
    return re.match(rf"({unit.name}|{unit.number:02})\b", parameters) is not None


def pytest_configure(config) -> None:
    """Find the unit that `--unit` asks for."""
    wanted = config.getoption("--unit")
    found = [unit for unit in UNITS if wanted and unit.name.startswith(wanted)]
    if wanted is not None and len(found) != 1:
        raise pytest.UsageError(f"--unit: expected the number of a unit, as 04, got {wanted!r}")
    config.stash[UNIT] = found[0] if found else None


@pytest.hookimpl(trylast=True)  # groups are known by then
def pytest_collection_modifyitems(config, items: list[pytest.Item]) -> None:
    """Begin with the groups, which run for minutes in one process each; keep what concerns that unit."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    if unit := config.stash[UNIT]:
        kept, left_out = [], []
        for item in items:
            (kept if concerns(item, unit) else left_out).append(item)
        items[:] = kept
        config.hook.pytest_deselected(items=left_out)


def _devices() -> list[str]:
    devices = ["cpu"]
    if torch.cuda.is_available():
        devices.append("cuda")
    return devices


@pytest.fixture(params=_devices())
def device(request) -> torch.device:
    """Every device of this machine; a test that takes it runs once on each."""
    return torch.device(request.param)
