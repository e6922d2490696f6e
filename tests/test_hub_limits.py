"""What the hub lets one process take where there is no systemd: so much as is promised, beside what PyTorch takes."""

import subprocess
import sys

import pytest
from notebooks import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the hub is for Linux")

# The configuration with a hub of paper; then a process as the spawner starts it, which takes memory in pieces.
RUN = """
import grp, os, runpy, sys, types
from unittest.mock import MagicMock

class Spawner:
    cpu_limit, mem_limit, user = 0, 2**30, types.SimpleNamespace(id=1, name="amal")
    def make_preexec_fn(self, name):
        return lambda: None

sys.modules["jupyterhub"] = types.ModuleType("jupyterhub")
sys.modules["jupyterhub.spawner"] = types.SimpleNamespace(LocalProcessSpawner=Spawner)
grp.getgrnam = lambda name: types.SimpleNamespace(gr_mem=[])
config = runpy.run_path(sys.argv[1], {"get_config": MagicMock})
config["LimitedSpawner"]().make_preexec_fn("amal")()
import torch
pieces = []
try:
    while len(pieces) < 64:
        pieces.append(torch.ones(2**24))  # 64 MiB
except (RuntimeError, MemoryError):
    pass
print(len(pieces))
"""


def test_a_process_may_take_what_is_promised_beside_pytorch(tmp_path):
    kit = tmp_path / "hub"
    kit.mkdir()
    for name in ("jupyterhub_config.py", "hub.toml"):
        text = (ROOT / "hub" / name).read_text(encoding="utf-8")
        text = text.replace("/opt/hub", str(tmp_path)).replace("/run/systemd/system", "/no/systemd")
        (kit / name).write_text(text, encoding="utf-8")
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    command = [sys.executable, "-c", RUN, kit / "jupyterhub_config.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 14 <= int(done.stdout) <= 16  # of 16 times 64 MiB in a GiB; a little is the processes' own
