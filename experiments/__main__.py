"""`python -m experiments`: all of them, each in a process of its own, in an order in which none waits for another.

What is special about an experiment stands in the `__init__.py` of its folder: `AFTER` names those whose results it
reads, and `ALSO` holds the arguments of further runs.
"""

import importlib
import shlex
import subprocess
import sys
from graphlib import TopologicalSorter

from experiments.results import FOLDER


def commands() -> list[list[str]]:
    """List the modules to run, in order, each with its arguments."""
    names = sorted(path.parent.name for path in FOLDER.glob("*/run.py"))
    about = {name: vars(importlib.import_module(f"experiments.{name}")) for name in names}
    found = []
    for name in TopologicalSorter({name: about[name].get("AFTER", ()) for name in names}).static_order():
        found += [[f"experiments.{name}", *arguments] for arguments in ((), *about[name].get("ALSO", ()))]
    return found


def main() -> int:
    """Run them; the exit status is that of the first that fails, which ends it."""
    for command in commands():
        print(f"python -m {shlex.join(command)}", flush=True)
        if status := subprocess.run([sys.executable, "-m", *command], check=False).returncode:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
