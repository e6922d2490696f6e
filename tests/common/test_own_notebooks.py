import json

import pytest
from exercise_harness import Exercise
from notebooks import source_path, units

from transformer_course import masking, multi_head_attention
from transformer_course.common.own_notebooks import use_own_notebooks

IMPORTS = "from transformer_course.masking import causal_mask"
OWN_MASK = "def causal_mask(length, device=None):\n    return 'mine', length"


@pytest.fixture
def write(tmp_path):
    def notebook(name, *sources, first=IMPORTS):
        cells = [{"cell_type": "markdown", "source": "not code", "metadata": {}}]
        for number, source in enumerate((first, *sources)):
            marks = {} if number == 0 else {"nbgrader": {"solution": True}}
            lines = source.splitlines(keepends=True)
            cells.append({"cell_type": "code", "source": lines, "metadata": marks})
        path = tmp_path / f"{name}.ipynb"
        path.write_text(json.dumps({"cells": cells}))
        return path

    return notebook


def test_what_was_imported_is_replaced_and_nothing_else(write):
    path = write("06_masking", OWN_MASK, "def helper():\n    return 1", "predictions = 1 / 0")
    namespace = {"causal_mask": masking.causal_mask, "helper": "mine already", "other": 3}
    assert use_own_notebooks([path], namespace) == {"causal_mask": "06_masking"}
    assert namespace["causal_mask"](4) == ("mine", 4)
    assert namespace["helper"] == "mine already"
    assert set(namespace) == {"causal_mask", "helper", "other"}


def test_a_later_notebook_is_given_what_the_earlier_ones_define(write):
    paths = [write("06", OWN_MASK), write("09", "def block(x):\n    return causal_mask(x)")]
    namespace = {"block": multi_head_attention.split_heads}
    assert use_own_notebooks(paths, namespace) == {"block": "09"}
    assert namespace["block"](5) == ("mine", 5)


def test_a_task_that_is_not_solved_is_left_to_the_library(write):
    body = "class MultiHeadAttention:\n    def forward(self):\n        raise NotImplementedError"
    namespace = {"causal_mask": masking.causal_mask, "MultiHeadAttention": multi_head_attention.MultiHeadAttention}
    path = write("07", body, "def causal_mask(length, device=None):\n    raise NotImplementedError()")
    assert use_own_notebooks([path], namespace) == {}
    assert namespace["MultiHeadAttention"] is multi_head_attention.MultiHeadAttention
    assert namespace["causal_mask"] is masking.causal_mask


def test_a_second_call_takes_the_new_version(write):
    namespace = {"causal_mask": masking.causal_mask}
    use_own_notebooks([write("06", OWN_MASK)], namespace)
    assert use_own_notebooks([write("06", OWN_MASK.replace("mine", "new"))], namespace) == {"causal_mask": "06"}
    assert namespace["causal_mask"](1) == ("new", 1)


def test_nothing_is_replaced_while_nbgrader_grades(write, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    namespace = {"causal_mask": masking.causal_mask}
    assert use_own_notebooks([write("06", OWN_MASK), "not there.ipynb"], namespace) == {}
    assert namespace["causal_mask"] is masking.causal_mask


def test_no_notebook_changes_nothing():
    namespace = {"causal_mask": masking.causal_mask}
    assert use_own_notebooks([], namespace) == {}
    assert namespace == {"causal_mask": masking.causal_mask}


def test_what_is_no_notebook_is_refused(tmp_path):
    with pytest.raises(ValueError, match="expected the path of a solved notebook, got .*missing"):
        use_own_notebooks([tmp_path / "missing.ipynb"], {})
    (tmp_path / "empty.ipynb").write_text("{}")
    with pytest.raises(ValueError, match="expected the path of a solved notebook"):
        use_own_notebooks([tmp_path / "empty.ipynb"], {})


def test_an_error_in_a_cell_names_the_notebook(write):
    with pytest.raises(ZeroDivisionError) as caught:
        use_own_notebooks([write("08", "def one():\n    return 1\n1 / 0")], {})
    assert "08.ipynb: def one():" in caught.value.__notes__[0]


MAGIC = """%%time
# of the words
!pip install something
files = !ls
{definition}
causal_mask?
%timeit causal_mask(3)
try:
    import torch
except ImportError:
    %pip install torch
"""


def test_what_ipython_adds_to_python_is_left_out(write):
    definition = OWN_MASK.replace("'mine'", "math.pi")
    first = "%matplotlib inline\n!pip install something\nimport math\n" + IMPORTS
    path = write("06", "%%bash\necho $HOME", MAGIC.format(definition=definition), "??", first=first)
    namespace = {"causal_mask": masking.causal_mask}
    assert use_own_notebooks([path], namespace) == {"causal_mask": "06"}
    assert namespace["causal_mask"](4) == (3.141592653589793, 4)


def test_a_cell_that_is_no_task_need_not_be_python(write):
    path = write("06", OWN_MASK)
    document = json.loads(path.read_text())
    document["cells"].append({"cell_type": "code", "source": "what is (this", "metadata": {}})
    path.write_text(json.dumps(document))
    assert use_own_notebooks([path], {"causal_mask": masking.causal_mask}) == {"causal_mask": "06"}


def test_a_task_that_python_cannot_read_names_its_notebook(write):
    with pytest.raises(SyntaxError) as caught:
        use_own_notebooks([write("08", "def one(:\n    return 1")], {})
    assert "08.ipynb: def one(:" in caught.value.__notes__[0]


def test_a_transformer_of_own_parts_passes_the_checks_of_exercise_10():
    exercise = Exercise("10_transformer")
    namespace = exercise.namespace()
    numbers = ("01_", "06_", "07_", "08_", "09_")
    found = use_own_notebooks([source_path(unit) for unit in units() if unit.startswith(numbers)], namespace)
    assert {"causal_mask", "padding_mask", "combine_masks", "TransformerEmbedding", "teacher_forcing_pair"} <= set(
        found
    )
    for name in found:
        assert namespace[name].__module__ == f"own_notebooks.{found[name]}"
    exec(compile(exercise.solution("Transformer"), "<Transformer>", "exec"), namespace)
    namespace["checks"].Transformer.check(namespace["Transformer"])
    if "EncoderBlock" in found:
        block = namespace["Transformer"](5, 6, 8, 2, 1, 1, 4).encoder_blocks[0]
        assert type(block.self_attention).__module__ == "own_notebooks.07_multi_head_attention"
