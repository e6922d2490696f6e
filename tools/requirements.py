"""Read the lists of packages that the course needs; `make lock` keeps one version of each in requirements.lock."""

from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
LISTS = ("requirements.txt", "requirements-weights.txt", "requirements-dev.txt")


def read(path: Path) -> list[Requirement]:
    """Read the ranges in a list, or the versions in the lock; a line such as ``-e .`` speaks to pip alone."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Requirement(line.partition("#")[0]) for line in lines if line and line[0] not in "#-"]


def requirements(root: Path = ROOT) -> list[Requirement]:
    """Read the ranges of all that the course needs, for readers, for published weights, and for contributors."""
    return [need for name in LISTS for need in read(root / name)]
