"""What a task asks for, for who brings code of their own: signatures, names of attributes, the library's words."""

import ast
import importlib
import inspect
from types import FunctionType

from course_checks.task import Task


def asked(task: Task) -> str:
    """Write how a task's function or class is called, and what the library says of it, if it has it."""
    module = importlib.import_module(f"transformer_course.{task.unit}")
    words = inspect.getdoc(getattr(module, task.name)) if hasattr(module, task.name) else None
    lines = [line.replace("torch.", "") for line in _signatures(task)]
    return "\n".join([*lines, "", words or "The exercise says in words what is asked for."])


def _signatures(task: Task) -> list[str]:
    right = task.run(task.program) if task.program else task._oracle
    if not isinstance(right, type):
        return [f"def {task.name}{inspect.signature(right)}"]
    methods = {name: each for name, each in vars(right).items() if isinstance(each, FunctionType)}
    lines = [f"class {task.name}:"]
    for name, method in methods.items():
        if name == "__init__" or not name.startswith("_"):
            lines.append(f"    def {name}{inspect.signature(method)}")
        if name == "__init__" and (attributes := _attributes(task)):
            lines.append(f"        # sets {', '.join(f'self.{each}' for each in attributes)}")
    return lines


def _attributes(task: Task) -> list[str]:
    """Name what the constructor of the solution sets: checks set and read weights by these names."""
    first = next(node for node in ast.walk(ast.parse(task.program)) if getattr(node, "name", "") == "__init__")
    stores = [node for node in ast.walk(first) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return list(dict.fromkeys(node.attr for node in sorted(stores, key=lambda node: node.lineno)))
