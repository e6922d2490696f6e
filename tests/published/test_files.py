"""Files of published weights: what the package of the format's authors refuses is one sentence of ours."""

import json
import struct

import pytest
import torch
from safetensors.torch import save

from transformer_course.published.files import tensors_of

WRITTEN = save({f"name {i}": torch.full((10,), i, dtype=torch.bfloat16) for i in range(10)})


@pytest.fixture(params=["path", "bytes"])
def read(request, tmp_path):
    """Both ways to hand over a file."""

    def read(content: bytes):
        path = tmp_path / "w.safetensors"
        path.write_bytes(content)
        return tensors_of(path if request.param == "path" else content, "w.safetensors")

    return read


def test_the_tensors_are_those_that_were_written_and_may_be_written_into(read):
    found = read(WRITTEN)
    assert [tensor.tolist() for tensor in found.values()] == [[int(name[5:])] * 10 for name in found]
    assert len(found) == 10
    assert found["name 3"].dtype == torch.bfloat16
    found["name 3"][0] = 9.0
    assert found["name 3"][0] == 9.0


def expect_refusal(read, content):
    with pytest.raises(ValueError, match=r"^weights: w.safetensors is no safetensors file, or is damaged") as no:
        read(content)
    assert "\n" not in str(no.value)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.5, 0.99])
def test_a_damaged_file_gives_one_sentence(read, share):
    expect_refusal(read, WRITTEN[: int(share * len(WRITTEN))])


@pytest.mark.parametrize(
    "header",
    [
        [], "x", {"a": 1}, {"a": {"dtype": "F99", "shape": [1], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F32", "shape": [-1, -1], "data_offsets": [0, 4]}},
        {"a": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}},
        {"a": {"dtype": "F32", "shape": [1], "data_offsets": [0]}},
        {"a": {"dtype": "F32", "shape": ["1"], "data_offsets": [0, 4]}},
    ],
)  # fmt: skip
def test_a_header_that_says_something_else_gives_one_sentence(read, header):
    text = json.dumps(header).encode()
    expect_refusal(read, struct.pack("<Q", len(text)) + text + b"1234")


def test_numbers_of_a_kind_that_torch_has_not_give_one_sentence(read):
    text = json.dumps({"a": {"dtype": "F6_E2M3", "shape": [4], "data_offsets": [0, 3]}}).encode()
    expect_refusal(read, struct.pack("<Q", len(text)) + text + b"123")


def test_another_file_gives_one_sentence(read):
    expect_refusal(read, b"hello, this is text\n" * 9)
