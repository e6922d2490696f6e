"""What a task asks for, for who brings code of their own: signatures, names of attributes, the library's words."""

import ast
import importlib
import inspect
import re
from types import FunctionType

from course_checks.task import Task


def asked(task: Task) -> str:
    """Write how a task's function or class is called, and what the library says of it, or else what is tried."""
    module = importlib.import_module(f"transformer_course.{task.unit}")
    lines = [line.replace("torch.", "") for line in _signatures(task)]
    words = inspect.getdoc(getattr(module, task.name)) if hasattr(module, task.name) else None
    tried = "\n".join(["What is tried:", *(f"- {each.passed}" for each in task.requirements)])
    return "\n".join([*lines, "", _of_arguments(words, " ".join(lines)) if words else tried])


def _of_arguments(words: str, signatures: str) -> str:
    """Leave out arguments that the library has and the task has not."""
    head, args, rest = words.partition("\nArgs:\n")
    those, parted, end = rest.partition("\n\n")
    each = re.split(r"\n(?=    \S)", those)
    kept = [one for one in each if re.search(rf"\b{one.strip().split(':')[0].strip('*')}\b", signatures)]
    return head + args + "\n".join(kept) + parted + end


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
