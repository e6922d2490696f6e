"""What all benchmarks share: clock, ratios, memory and tables."""

import json
import sys
from pathlib import Path

import pytest
import torch

CPU = torch.device("cpu")


@pytest.fixture
def measuring(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1]))
    from benchmarks import measuring

    monkeypatch.setattr(measuring, "PEAK_SIZE", {"cpu": 64})
    return measuring


def test_ratios_are_medians_over_rounds(measuring, monkeypatch):
    # On a clock of our own: what is tested is the arithmetic, and no other program can disturb it.
    now, calls = 0.0, 0

    def clock():
        nonlocal now
        now += 1e-9  # no action takes no time at all
        return now

    def once():
        nonlocal now
        now += 0.004

    def thrice():
        nonlocal now, calls
        calls += 1
        now += 0.012 if calls != 4 else 0.120  # warmed up with two calls, disturbed in the second round

    monkeypatch.setattr(measuring.time, "process_time", clock)
    result = measuring.compare({"once": once, "thrice": thrice}, CPU, rounds=3, at_least=0.013)
    assert calls == 5  # one call a round lasts long enough
    assert result["seconds"] == pytest.approx({"once": 0.004, "thrice": 0.012}, rel=1e-6)
    assert result["ratio"] == pytest.approx({"once": 1, "thrice": 3}, rel=1e-6)
    assert result["ratio_range"]["thrice"] == pytest.approx([3, 30], rel=1e-6)
    assert result["peak"] == pytest.approx(2 * 64**3 / 1e-9, rel=1e-3)


def test_memory_is_that_of_the_process_itself(measuring, tmp_path, monkeypatch):
    # What the child takes must show, however large the process that starts it is.
    script = "import sys, torch; from benchmarks.measuring import report_memory\n"
    script += "x = torch.ones(int(sys.argv[1]) * 2**18); report_memory(torch.device('cpu'))"
    own = torch.ones(2**26)  # 256 MiB in the parent
    root = Path(__file__).parents[1]

    def peak(mebibytes):
        command = [sys.executable, "-c", script, str(mebibytes)]
        return float(measuring.subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout)

    assert peak(192) - peak(0) == pytest.approx(192, rel=0.25)
    assert own.numel() == 2**26


def test_tables(measuring, tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "RESULTS", tmp_path / "results")
    rows = [{"length": 5, "speed": 1234567.8, "ratio": 1.2345}, {"length": 7, "ratio": 2.0}]
    measuring.write("some_thing", CPU, 3, rows, ["length", "speed", "ratio"])
    written = json.loads((tmp_path / "results" / "some_thing_cpu.json").read_text())
    assert written["rows"] == rows
    assert set(written["measured_on"]) == {"date", "torch", "python", "processor", "threads", "clock", "rounds"}
    lines = (tmp_path / "results" / "some_thing_cpu.md").read_text().splitlines()
    assert lines[0] == "# Some thing"
    assert lines[4:] == ["| length | speed | ratio |", "|---|---|---|", "| 5 | 1,234,568 | 1.23 |", "| 7 |  | 2 |"]
