"""The ways of decoding that the benchmark compares write the same tokens; its committed file has all of them."""

import json

import torch

from benchmarks import cache_parts, measuring


def test_every_way_writes_the_same(monkeypatch):
    monkeypatch.setattr(cache_parts, "BATCH", 2)
    monkeypatch.setattr(measuring, "PEAK_SIZE", {"cpu": 32})
    monkeypatch.setattr(
        cache_parts, "compare", lambda ways, device, rounds: {"seconds": {n: way() or 1.0 for n, way in ways.items()}}
    )
    row = cache_parts.measure(16, 2, 2, 5, torch.device("cpu"), rounds=1)  # raises if tokens differ
    assert set(cache_parts.WAYS) <= set(row)


def test_the_committed_file_has_every_way():
    rows = json.loads((measuring.RESULTS / "cache_parts_cpu.json").read_text(encoding="utf-8"))["rows"]
    assert {(64, tokens) for tokens in (1, 8, 32, 128)} <= {(row["d_model"], row["tokens"]) for row in rows}
    assert all(row[way] > 0 for row in rows for way in cache_parts.WAYS)
