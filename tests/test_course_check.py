"""`course-check`: what it prints and returns for a right, a wrong, a foreign and a broken implementation."""

import ast
import json
import os
import re
import subprocess
import sys

import pytest
from notebooks import ROOT

from course_checks.cli import main, tasks
from course_checks.programs import programs

RIGHT = """
import torch
def padding_mask(tokens, pad_id=0):
    return (tokens != pad_id)[:, None, None, :]
def wrong(tokens, pad_id=0):
    return (tokens != pad_id)[:, None, :]
class OfConfig(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
"""

INVERTED = """
import math
import torch
def attend(query, key, value, hidden=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ value, weights
"""
UNLISTED = """
import math
import torch
def attend(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1] + 3)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return weights @ value, weights
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "masks_of_mine.py"
    path.write_text(RIGHT, "utf-8")
    return path


def test_every_graded_name_is_listed(capsys):
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "04  scaled_dot_product_attention" in lines
    assert main(["--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) == len(lines) > 100
    assert [line for line in lines if "fixed" in line.lower()] == []  # a bug hunt begins with code of the exercise
    assert {"unit": "07", "name": "MultiHeadAttention"} in listed


def test_a_right_function_returns_0_and_a_wrong_one_1(file, capsys):
    assert main(["padding_mask", str(file)]) == 0
    assert "passed" in capsys.readouterr().out
    assert main(["padding_mask", f"{file}:wrong", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["right"] is False
    assert report["message"]["observed"]


def test_another_convention_is_said_and_is_no_mistake(tmp_path, capsys):
    path = tmp_path / "attention_of_mine.py"
    path.write_text(INVERTED, "utf-8")
    assert main(["scaled_dot_product_attention", f"{path}:attend"]) == 0
    assert "True in a mask means hidden" in capsys.readouterr().out


def test_strict_takes_another_convention_for_a_mistake_and_json_holds_nothing_else(tmp_path, capsys):
    path = tmp_path / "attention_of_mine.py"
    path.write_text(INVERTED + "print('imported')", "utf-8")
    assert main(["scaled_dot_product_attention", f"{path}:attend", "--json", "--strict"]) == 1
    assert json.loads(capsys.readouterr().out)["right"] is True


IN_FLOAT32 = """
import torch
def rms_norm(x, weight, eps=1e-6):
    found = x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + eps)
    return found.type_as(x) * weight
def of_model(model_size, x, weight, eps):
    return x
"""


def test_float32_on_the_way_is_said_and_another_number_of_arguments_is_not_tried(tmp_path, capsys):
    path = tmp_path / "norms_of_mine.py"
    path.write_text(IN_FLOAT32, "utf-8")
    assert main(["rms_norm", str(path)]) == 0
    assert "computes in float32" in " ".join(capsys.readouterr().out.split())
    path.write_text(IN_FLOAT32.replace("x.float() * ", "x.float().detach() * "), "utf-8")
    assert main(["rms_norm", str(path)]) == 1  # another gradient is no rounding
    path.write_text(IN_FLOAT32.replace("+ eps", "+ 1.01 * eps"), "utf-8")
    assert main(["rms_norm", str(path)]) == 1
    assert main(["rms_norm", f"{path}:of_model"]) == 2
    assert "this needs (model_size, x, weight, eps)" in capsys.readouterr().err


def test_results_that_look_alike_may_not_change_places(tmp_path, capsys):
    path = tmp_path / "pairs_of_mine.py"
    right = programs("sequence_transduction")["teacher_forcing_pair"].replace("def teacher_forcing_pair", "def pair")
    path.write_text(
        "from torch import Tensor\nfrom transformer_course.common.tokens import BOS, EOS, PAD\n"
        "from transformer_course.common.validation import *\n"
        f"{right}\ndef teacher_forcing_pair(*arguments, **keywords):\n    return pair(*arguments, **keywords)[::-1]\n",
        "utf-8",
    )
    assert main(["teacher_forcing_pair", str(path)]) == 1


def test_arguments_of_the_tasks_names_are_not_exchanged(tmp_path, capsys):
    path = tmp_path / "networks_of_mine.py"
    wrong = "(x @ w_gate.T * functional.silu(x @ w_up.T)) @ w_down.T"
    path.write_text(
        f"from torch.nn import functional\ndef swiglu(x, w_gate, w_up, w_down):\n    return {wrong}\n", "utf-8"
    )
    assert main(["swiglu", str(path)]) == 1
    assert "change places" in capsys.readouterr().out


OF_THREE_KINDS = ("train_step", "generate", "mask_tokens")  # they take arguments by name


@pytest.mark.parametrize(
    "name",
    [
        *OF_THREE_KINDS,
        *(pytest.param(name, marks=pytest.mark.exhaustive) for name in tasks() if name not in OF_THREE_KINDS),
    ],
)
def test_the_solution_is_right_outside_its_notebook(name, tmp_path, capsys):
    path = tmp_path / "answers_of_mine.py"
    path.write_text("\n\n\n".join(programs(tasks()[name][1].unit).values()), "utf-8")
    assert main([name, f"{path}:{name.rpartition(':')[2]}"]) == 0, capsys.readouterr().out


def test_a_mistake_that_nobody_listed_is_found_in_the_line(tmp_path, capsys):
    """Only where there is a source to look at and fork, as on Linux; elsewhere the check is silent about the line."""
    path = tmp_path / "attention_of_mine.py"
    path.write_text(UNLISTED, "utf-8")
    assert main(["scaled_dot_product_attention", f"{path}:attend"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    if sys.platform == "linux":
        assert "`scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1] + 3)` makes it right" in printed
        assert "math.sqrt(query.shape[-1])" not in printed  # the line is shown, never the fixed one


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "expected the name of a task"),
        (["no_such_task", "x.py"], "no such task"),
        (["softmax", "no_such_file.py"], "no such file"),
        (["softmax", "FILE:no_such_name"], "no_such_name"),
        (["softmax", "FILE"], "it has padding_mask, wrong, OfConfig"),
        (["FILE"], "the name of the task comes first"),
        (["scaled_dot_product", "FILE"], "did you mean scaled_dot_product_attention"),
        (["padding_mask", "FILE:OfConfig"], "expected a function, got a class"),
        (["MultiHeadAttention", "FILE:OfConfig"], "made as (d_model, num_heads, bias), and this takes (config)"),
    ],
)
def test_what_cannot_be_tried_returns_2_and_one_sentence(arguments, said, file, capsys):
    assert main([str(word).replace("FILE", str(file)) for word in arguments]) == 2
    error = capsys.readouterr().err.strip()
    assert error.startswith("course-check: ")
    assert said in error
    assert "\n" not in error


def test_a_name_alone_says_how_it_is_called(capsys):
    assert main(["MultiHeadAttention"]) == 0
    printed = capsys.readouterr().out
    assert "def __init__(self, d_model: int, num_heads: int, bias: bool = True)" in printed
    assert "def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None)" in printed
    for name in ("w_query", "w_key", "w_value", "w_output"):
        assert f"self.{name}" in printed
    assert "in its own d_k columns" in printed  # the library's words


def test_what_the_library_does_not_describe_is_described_by_what_is_tried(capsys):
    assert main(["perplexity"]) == 0
    assert "- every word of every batch counts the same" in capsys.readouterr().out
    assert main(["rotate"]) == 0
    assert "Another task of this name is 18:rotate" in capsys.readouterr().out


@pytest.mark.parametrize("name", tasks())
def test_a_name_alone_speaks_of_its_own_arguments_and_does_not_give_the_answer_away(name, capsys):
    assert main([name]) == 0
    printed = capsys.readouterr().out
    assert f" {tasks()[name][1].name}" in printed.splitlines()[0]
    program = ast.parse(programs(tasks()[name][1].unit).get(tasks()[name][1].name, ""))
    simple = [
        ast.unparse(node) for node in ast.walk(program) if isinstance(node, ast.Assign | ast.AugAssign | ast.Return)
    ]
    assert [statement for statement in simple if statement in printed] == []
    described = re.findall(r"^    (\w+):", printed.partition("\nArgs:\n")[2].partition("\n\n")[0], re.M)
    assert [argument for argument in described if f"{argument}:" not in printed.partition("\n\n")[0]] == []


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe says something else there")
@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize("arguments", [["--list"], ["progress", "04"]], ids=" ".join)
def test_a_reader_that_has_seen_enough_is_no_error(arguments, buffered):
    reading, writing = os.pipe()
    os.close(reading)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    environment |= {} if buffered else {"PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "course_checks", *arguments]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
