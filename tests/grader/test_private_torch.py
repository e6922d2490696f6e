"""What the grader uses of torch that torch does not promise, and what it would cost to lose it."""

import ast
import pkgutil
import re
from pathlib import Path

import pytest

import course_grader
import torch_watching

USED = {
    # Without it a backward pass across the wire would have to guess retain_graph (sharing/gradients.py).
    "torch._C._autograd._get_current_graph_task_keep_graph",
    # Without them a refused function is not heard under DisableTorchFunction (torch_watching/calls.py) ...
    "torch.utils._python_dispatch.TorchDispatchMode",
    "torch._C._is_torch_function_all_disabled",
    # Without it torch's own backward pass is held to be the learner's, where torch calls softmax in it ...
    "torch._C._current_graph_task_id",
    # ... or each operation of torch takes three times as long to watch.
    "torch._C._len_torch_dispatch_stack",
    "torch._C._get_dispatch_stack_at",
    "torch._C._pop_torch_dispatch_stack",
    "torch._C._push_on_torch_dispatch_stack",
}


def dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def names_in(path: Path) -> set[str]:
    """Full names of what a file takes from torch."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            found.add(dotted(node))
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("torch.")}


def test_no_other_name_is_used():
    files = [path for package in (course_grader, torch_watching) for path in Path(package.__path__[0]).rglob("*.py")]
    names = set().union(*map(names_in, files))
    private = {name for name in names if re.search(r"\._(?!_)", name)}
    assert {name for name in private if not any(other.startswith(f"{name}.") for other in private)} == USED


@pytest.mark.parametrize("name", sorted(USED))
def test_this_torch_has_it(name):
    assert pkgutil.resolve_name(name) is not None
