"""Our reader of safetensors against the package of the format's authors, and damaged files."""

import json
import struct

import pytest
import torch

from transformer_course.published.safetensors_file import DTYPES, read_safetensors

safetensors = pytest.importorskip("safetensors.torch", reason="pip install -r requirements.txt brings safetensors")


def test_tensors_of_all_kinds_are_those_that_were_written(tmp_path):
    generator = torch.Generator().manual_seed(0)
    drawn = torch.randint(0, 100, (3, 5, 2), generator=generator)
    state = {f"of {dtype}": (drawn % 2 if dtype is torch.bool else drawn).to(dtype) for dtype in DTYPES.values()}
    state |= {"number": torch.tensor(2.5), "none": torch.empty(0, 4), "row": torch.arange(7.0)}
    safetensors.save_file(state, tmp_path / "w.safetensors", metadata={"format": "pt"})
    found = read_safetensors(tmp_path / "w.safetensors")
    assert found.keys() == state.keys()
    for name, tensor in state.items():
        assert found[name].dtype == tensor.dtype
        assert torch.equal(found[name], tensor)
    found["row"][0] = 9.0  # a learner may write into it


def test_a_number_that_begins_at_an_odd_place(tmp_path):
    header = {
        "a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]},
        "b": {"dtype": "F32", "shape": [1], "data_offsets": [1, 5]},
    }
    text = json.dumps(header).encode()
    path = tmp_path / "w.safetensors"
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"\x07" + struct.pack("<f", 1.5))
    assert {name: tensor.tolist() for name, tensor in read_safetensors(path).items()} == {"a": [7], "b": [1.5]}


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.5, 0.99])
def test_a_damaged_file_gives_one_sentence(tmp_path, share):
    path = tmp_path / "w.safetensors"
    safetensors.save_file({f"name {i}": torch.ones(10) for i in range(10)}, path)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(ValueError, match="^weights: ") as refused:
        read_safetensors(path)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "header",
    [
        b"[]", b'"x"', b'{"a": 1}', b'{"a": {"dtype": "F99", "shape": [1], "data_offsets": [0, 4]}}',
        b'{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}',
        b'{"a": {"dtype": "F32", "shape": [-1, -1], "data_offsets": [0, 4]}}',
        b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}}',
        b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0]}}',
        b'{"a": {"dtype": "F32", "shape": ["1"], "data_offsets": [0, 4]}}', b"\xff\xfe",
    ],
)  # fmt: skip
def test_a_header_that_says_something_else_gives_one_sentence(tmp_path, header):
    path = tmp_path / "w.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"1234")
    with pytest.raises(ValueError, match="^weights: "):
        read_safetensors(path)


def test_other_files_give_one_sentence(tmp_path):
    with pytest.raises(ValueError, match="got none"):
        read_safetensors(tmp_path / "none")
    (tmp_path / "text").write_text("hello, this is text\n" * 9, encoding="utf-8")
    with pytest.raises(ValueError, match="is no safetensors file"):
        read_safetensors(tmp_path / "text")
