"""Hand the dependencies from the lists with the reasons to `pip install .`; the rest is in pyproject.toml."""

from pathlib import Path

from setuptools import setup


def listed(name: str) -> list[str]:
    """Return the requirements in a file; a line such as `-e .` speaks to pip alone."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-"))]


extras = {name: listed(f"requirements-{name}.txt") for name in ("dev", "weights")}
setup(install_requires=listed("requirements.txt"), extras_require=extras)
