"""The source of a learner's answer, and the names that it sees."""

import ast
import inspect
import linecache
from collections.abc import Callable
from typing import Any

from course_checks.repair.trees import Scope


class Source:
    """The source of a function or class, and the names that it sees.

    Args:
        definition: its tree, with the line numbers of its file or cell.
        lines: the lines of that file or cell.
        filename: its name.
        names: the globals of the answer, with what it closes over.
        again: makes of the defined what is checked, where that is an adapted form of it.
    """

    def __init__(
        self, definition: ast.AST, lines: list[str], filename: str, names: dict, again: Callable | None = None
    ):
        self.definition, self.lines, self.filename, self.names = definition, lines, filename, names
        self._again = again or (lambda answer: answer)
        self.scope = Scope()
        self._find_attributes()

    @classmethod
    def of(cls, answer: Any) -> "Source | None":
        """Find the source of an answer; None where there is none."""
        if getattr(answer, "runs_elsewhere", False):
            return None
        try:
            again = getattr(answer, "again", None)
            answer = inspect.unwrap(answer)
            functions = [answer] if not isinstance(answer, type) else [
                each for each in vars(answer).values() if inspect.isfunction(each)]  # fmt: skip
            code, names = functions[0].__code__, functions[0].__globals__
            lines = linecache.getlines(code.co_filename, names)
            tree = ast.parse("".join(lines))
            closed = inspect.getclosurevars(functions[0]).nonlocals if functions[0].__closure__ else {}
        except (AttributeError, IndexError, SyntaxError, TypeError, ValueError, OSError):
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == answer.__name__:
                first = min((each.lineno for each in node.decorator_list), default=node.lineno)
                if isinstance(answer, type) or first == code.co_firstlineno:
                    return cls(node, lines, code.co_filename, dict(names) | closed, again)
        return None

    def text(self, line: int) -> str:
        """Give a line without its comment and the white space around it."""
        text = self.lines[line - 1].strip()
        return text.partition("  #")[0].strip()

    def run(self, names: dict | None = None) -> Any:
        """Run the definition as it stands just now, beside its names or others, and give what it defines."""
        names = dict(self.names if names is None else names)
        tree = ast.Module([self.definition], [])
        exec(compile(tree, self.filename, "exec", dont_inherit=True), names)
        return self._again(names[self.definition.name])

    def _find_attributes(self) -> None:
        made, used = {}, set()
        for node in ast.walk(self.definition):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
                used |= {node.attr} if isinstance(node.ctx, ast.Load) else set()
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                for target in node.targets:
                    if isinstance(target, ast.Attribute):
                        made[target.attr] = ast.unparse(node.value.func)
        self.scope.attributes = made
        self.scope.unused = [name for name in made if name not in used]
