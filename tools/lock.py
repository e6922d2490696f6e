"""Write requirements.lock: the version of every package that the requirements bring with them, as installed here.

Run by `make lock`, which first brings the environment to the newest versions that the ranges allow; with
`python tools/lock.py ranges FILE` it writes these ranges to a file, without what the lock demands.
"""

import re
import sys
from importlib.metadata import distribution, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LISTS = ("requirements.txt", "requirements-weights.txt", "requirements-dev.txt")
HEAD = "# The versions that the tests ran with, of torch whichever build; made by make lock.\n"
# What the CUDA builds of torch bring with them; torch itself says which version it needs.
OF_TORCH = re.compile(r"(nvidia|cuda)-|triton$")


def read(path: Path) -> list[Requirement]:
    """Read the ranges in a file; a line such as ``-e .`` speaks to pip alone."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Requirement(line.partition("#")[0]) for line in lines if line and line[0] not in "#-"]


def requirements(root: Path = ROOT) -> list[Requirement]:
    """Read the ranges of all that the course needs, for readers, for published weights, and for contributors."""
    return [need for name in LISTS for need in read(root / name)]


def installed(wanted: list[Requirement]) -> dict[str, str]:
    """Return the versions of packages and of all that they require in turn, without the build, as in ``2.13.0+cpu``.

    Raises:
        PackageNotFoundError: if one of them is not installed.
    """
    todo = [(canonicalize_name(need.name), extra) for need in wanted for extra in ("", *need.extras)]
    seen: set[tuple[str, str]] = set()
    while todo:
        name, extra = todo.pop()
        if (name, extra) in seen or OF_TORCH.match(name):
            continue
        seen.add((name, extra))
        for need in map(Requirement, distribution(name).requires or ()):
            if not need.marker or need.marker.evaluate({"extra": extra}):
                todo += [(canonicalize_name(need.name), each) for each in ("", *need.extras)]
    return {name: version(name).partition("+")[0] for name in sorted({name for name, _ in seen})}


def main() -> int:
    """Write the file, or the ranges."""
    if sys.argv[1:2] == ["ranges"]:
        Path(sys.argv[2]).write_text("".join(f"{need}\n" for need in requirements()), encoding="utf-8")
        return 0
    lines = [f"{name}=={number}\n" for name, number in installed(requirements()).items()]
    (ROOT / "requirements.lock").write_text(HEAD + "".join(lines), encoding="utf-8", newline="\n")
    print(f"requirements.lock: {len(lines)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
