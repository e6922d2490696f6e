"""What the benchmarks of unit 17 compare computes the same."""

import json
import sys
from pathlib import Path

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

CPU = torch.device("cpu")


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1]))
    from benchmarks import efficient_attention, grouped_queries, roofline

    return efficient_attention, grouped_queries, roofline


def test_attention_over_long_texts_is_the_same_attention(benchmarks):
    made = {name: run() for name, run in benchmarks[0].make_contenders(384, CPU).items()}
    for name in ("plain", "blocks"):
        assert_close(made[name], made["sdpa"])
    assert_close(made["linear"], made["cumulative"])
    places = torch.arange(384)
    seen = (places <= places[:, None]) & (places > places[:, None] - benchmarks[0].WINDOW)
    torch.manual_seed(0)
    query, key, value = (torch.randn(1, 2, 384, 32) for _ in range(3))
    assert_close(made["window"], F.scaled_dot_product_attention(query, key, value, attn_mask=seen))


@pytest.mark.parametrize("groups", [32, 8, 1])
def test_grouped_queries_are_the_same_in_all_three_ways(benchmarks, groups):
    first, *others = (run() for run in benchmarks[1].make_contenders(40, groups, CPU).values())
    for other in others:
        assert_close(other, first, rtol=1e-4, atol=1e-5)  # sums of 40 numbers in another order, in float32


def test_the_whole_of_the_roofline_is_one_attention_and_its_steps_add_up_to_the_count(benchmarks):
    first, *others = (run() for run in benchmarks[2].whole(256).values())
    for other in others:
        assert_close(other, first)
    steps = benchmarks[2].large_and_small(1024)
    flops, moved = (sum(step[i] for step in steps.values()) for i in (0, 1))
    counted = benchmarks[2].counted("plain", 1024)
    assert flops == counted[0]
    assert moved == counted[1]
    for _, _, step, pieces in steps.values():
        step()
        pieces()


def test_the_programs_have_help(benchmarks, monkeypatch, capsys):
    for module in benchmarks:
        monkeypatch.setattr(sys, "argv", ["benchmark", "--help"])
        with pytest.raises(SystemExit):
            module.main()
        assert "--rounds" in capsys.readouterr().out


def test_the_committed_files_have_every_length_and_way(benchmarks):
    from benchmarks.measuring import RESULTS

    rows = [
        {row["length"]: row for row in json.loads((RESULTS / f"{name}_cpu.json").read_text("utf8"))["rows"]}
        for name in ("efficient_attention", "grouped_queries")
    ]
    assert sorted(rows[0]) == list(benchmarks[0].LENGTHS["cpu"])
    for length, row in rows[0].items():
        assert {"sdpa", "blocks", "window", "linear"} <= set(row["backward"]["seconds"])
        assert ("plain MiB" in row) == (length <= benchmarks[0].LONGEST["plain"])
    assert sorted(rows[1]) == list(benchmarks[1].LENGTHS)
    steps = json.loads((RESULTS / "roofline_cpu.json").read_text("utf8"))["rows"]
    assert {row["length"] for row in steps} == {benchmarks[2].LENGTH}
    assert {"scores", "softmax", "plain", "plain, kept tensors", "blocks"} <= {row["what"] for row in steps}
