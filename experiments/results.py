"""Result files: what was measured, with which settings, on what, when. Written after every run."""

import json
import os
from pathlib import Path
from typing import Any

import torch

from benchmarks.measuring import environment

FOLDER = Path(__file__).parent


def committed(name: str) -> dict[str, Any]:
    """Return the settings and the runs of an experiment, as its file has them."""
    return json.loads((FOLDER / name / "results.json").read_text(encoding="utf-8"))


class Results:
    """The runs of one experiment, kept in a JSON file.

    Args:
        name: of the experiment, in whose folder the file lies.
        settings: what all runs share. Another setting starts the file anew.
    """

    def __init__(self, name: str, settings: dict[str, Any]):
        self.path = FOLDER / name / "results.json"
        self.settings = json.loads(json.dumps(settings))

    def read(self) -> dict[str, Any]:
        """Return what the file holds now; another process may have written to it since the last time."""
        if self.path.exists():
            content = json.loads(self.path.read_text(encoding="utf-8"))
            if content["settings"] == self.settings:
                return content
        return {"settings": self.settings, "runs": []}

    def has(self, **key: Any) -> bool:
        """Say whether there is a run with these values."""
        return any(all(run.get(name) == value for name, value in key.items()) for run in self.read()["runs"])

    def add(self, **run: Any) -> None:
        """Keep a run and write the file, whole or not at all."""
        content = self.read()
        content["runs"].append({**run, "measured_on": environment(torch.device("cpu"))})
        unfinished = self.path.with_suffix(".part")
        unfinished.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(unfinished, self.path)
