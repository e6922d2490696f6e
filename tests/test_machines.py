"""What is said of a chapter on an imitated machine is what happened in its cells."""

import json
import subprocess
import sys

import machines
import nbformat
import pytest

from drawings.claims import BEGINNING, claim

PAGE = """---
kernelspec: {name: python3, display_name: Python 3, language: python}
---

```{code-cell} ipython3
from drawings.claims import claim
claim("two is less than one", 2 < 1)
claim("one is less than two", 1 < 2)
```

```{code-cell} ipython3
1 / 0
```

:::{quiz}
Which?

this
: No.

that
: Yes: that.
:::

```{code-cell} ipython3
print("a")
```
"""
PRODUCTS = """
import torch
torch.manual_seed(3)
a, b = torch.randn(64, 64), torch.randn(64, 64)
whole = torch.arange(16.).reshape(4, 4)
print((a @ b).tolist() == (a @ b).tolist(), torch.equal(whole @ whole, whole.long().mm(whole.long()).float()))
print((a @ b - (a.double() @ b.double()).float()).abs().max().item() < 2e-5)
print((a @ b).double().sum().item(), torch.get_num_threads(), a[0, 0].item())
"""


@pytest.fixture
def reader(monkeypatch):
    """A reader's machine, where a false claim does not end the build."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PYTHONPATH", machines.environment("native")["PYTHONPATH"])


def test_a_false_claim_is_a_note_for_a_reader_and_an_error_in_the_continuous_integration(reader, monkeypatch, capsys):
    claim("one is less than two", True)
    assert capsys.readouterr().out == ""
    claim("two is less than one", False)
    assert capsys.readouterr().out.strip() == f"{BEGINNING} than the text says: two is less than one"
    monkeypatch.setenv("CI", "true")
    claim("one is less than two", True)
    with pytest.raises(AssertionError, match="the text says: two is less than one"):
        claim("two is less than one", False)


def test_failing_cells_false_claims_and_wrong_letters_are_rows(reader, tmp_path):
    assert machines.NOTE == BEGINNING
    page = tmp_path / "99_page.md"
    page.write_text(PAGE, "utf-8")
    rows = machines.run_notebook(page, machines.Job("99", page))
    assert [(row["kind"], row["place"]) for row in rows] == [
        ("note", "99_page.md:5"),
        ("fails", "99_page.md:11"),
        ("note", "99_page.md:25"),
    ]
    assert "two is less than one" in rows[0]["text"]
    assert "ZeroDivisionError" in rows[1]["text"]
    assert "the page says b" in rows[2]["text"]


def test_a_notebook_that_runs_has_no_rows(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(1)")])
    path = tmp_path / "a.ipynb"
    nbformat.write(notebook, path)
    assert machines.run_notebook(path, machines.Job("x99", path)) == []


def test_a_machine_rounds_otherwise_and_each_in_its_own_way():
    seen = {}
    for machine in ("native", "rounding-1", "rounding-2", "two-threads", "seeds-1000"):
        command = [sys.executable, "-c", PRODUCTS]
        done = subprocess.run(
            command, env=machines.environment(machine), capture_output=True, text=True, check=True, timeout=120
        )
        same, close, last = done.stdout.splitlines()
        assert (same, close) == ("True True", "True"), machine
        seen[machine] = last.split()
    totals = {machine: float(total) for machine, (total, *_) in seen.items()}
    assert len({totals[machine] for machine in ("native", "rounding-1", "rounding-2")}) == 3
    assert totals["rounding-1"] == pytest.approx(totals["native"], abs=1e-2)
    assert seen["two-threads"][1] == "2"
    assert seen["native"][2] == seen["rounding-1"][2] != seen["seeds-1000"][2]


def test_what_ran_is_not_run_again_until_something_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(machines, "KEPT", tmp_path / "kept")
    page = tmp_path / "99_page.md"
    page.write_text("```{code-cell}\nprint(1)\n```\n", "utf-8")
    job = machines.Job("99", page)
    kept = tmp_path / "kept" / "native" / "99.json"
    kept.parent.mkdir(parents=True)
    first = machines.run("native", job)
    assert first["rows"] == []
    kept.write_text(json.dumps(first | {"rows": [{"kind": "note", "place": "here", "text": "kept"}]}), "utf-8")
    assert machines.run("native", job)["rows"]
    page.write_text("Only words.\n\n```{code-cell}\nprint(1)\n```\n", "utf-8")
    assert machines.run("native", job)["rows"]
    page.write_text("```{code-cell}\n1 / 0\n```\n", "utf-8")
    assert [row["kind"] for row in machines.run("native", job)["rows"]] == ["fails"]


def test_the_table_has_a_row_for_each_machine():
    results = {
        ("one", "01"): {"rows": []},
        ("one", "02"): {"rows": [{"kind": "fails"}, {"kind": "note"}]},
        ("other", "01"): {"rows": [{"kind": "note"}, {"kind": "note"}]},
        ("other", "02"): {"rows": []},
    }
    lines = machines.table(results, ["one", "other"], ["01", "02"]).splitlines()
    assert [line.split() for line in lines] == [["01", "02"], ["one", ".", "1!1n"], ["other", "2n", "."]]


def test_each_day_two_machines_have_their_turn():
    assert set(machines.of_the_day(1)) | set(machines.of_the_day(2)) <= set(machines.MACHINES)
    seen = {name for day in range(len(machines.MACHINES)) for name in machines.of_the_day(day)}
    assert seen == set(machines.MACHINES)
    assert len(machines.MACHINES) == 11
