"""The kernel of exercise 17, by Triton's interpreter: only where Triton is, which the course does not need."""

import importlib.util
import os
import subprocess
import sys

import pytest
from exercise_harness import MARKERS, Exercise

pytestmark = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")


def run(folder, change=("", "")):
    """Run the imports, the kernel and its check as a program of their own."""
    cells = {cell.id: MARKERS.sub("", cell.source) for cell in Exercise("17_efficient_attention").notebook.cells}
    program = folder / "kernel.py"  # Triton reads the source of a kernel from its file
    source = "\n\n".join(cells[name] for name in ("imports", "triton_attention", "run-triton"))
    assert change[0] in source
    program.write_text(source.replace(*change))
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    return subprocess.run([sys.executable, program], capture_output=True, text=True, env=environment, check=False)


def test_the_kernel_is_attention(tmp_path):
    done = run(tmp_path)
    assert "passed  triton_attention: tried by Triton's interpreter" in done.stdout, done.stderr


def test_keys_behind_the_end_are_found_out(tmp_path):
    done = run(tmp_path, ("tl.where(keys[None, :] < length, scores", "tl.where(keys[None, :] >= 0, scores"))
    assert "the keys behind the end of the text count" in done.stderr
