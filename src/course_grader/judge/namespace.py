"""The namespace of the tests: the instructor's names are in it, a learner's are asked for when a test uses them."""

import ast
import builtins
from collections.abc import Callable

from course_grader import notebooks


class TestNamespace(dict):
    """Globals in which tests run. A name that is not here is looked up in the student's process, through a proxy.

    Args:
        resolve: returns the proxy or value of a learner's name, or raises ``NameError``.
    """

    __test__ = False

    def __init__(self, resolve: Callable[[str], object]):
        super().__init__({"__name__": "__main__", "__builtins__": builtins})
        self._resolve = resolve
        self._resolved: set[str] = set()
        self._learners: set[str] = set()

    def __missing__(self, name: str):
        if hasattr(builtins, name) or name.startswith("__"):
            raise KeyError(name)
        try:
            value = self._resolve(name)
        except NameError:
            raise KeyError(name) from None
        self._resolved.add(name)
        self[name] = value
        return value

    def forget(self) -> None:
        """Let go of what was looked up: the learner's cells have run on."""
        for name in self._resolved:
            self.pop(name, None)
        self._resolved.clear()

    def run_instructors(self, cell: notebooks.ReleasedCell) -> None:
        """Run what tests may need of a cell that is not a test.

        Of a locked cell: imports, definitions, and statements that use no learner's name. Of a cell that learners may
        edit: its imports, as released. Of a solution cell nothing; its names become the learner's.
        """
        if cell.type != "code" or cell.kind == notebooks.TEST:
            return
        if cell.kind in (notebooks.SOLUTION, notebooks.MANUAL):
            for name in cell.names:
                self.pop(name, None)
                self._learners.add(name)
            return
        try:
            tree = ast.parse(cell.source)
        except SyntaxError:  # a magic, or a cell that is meant to be fixed
            return
        for statement in tree.body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._execute(statement, cell)
            elif cell.kind == notebooks.LOCKED:
                self._run_locked(statement, cell)

    def _run_locked(self, statement: ast.stmt, cell: notebooks.ReleasedCell) -> None:
        definition = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        loaded = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        if not definition and loaded & self._learners:
            self._learners |= {
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
        else:
            self._execute(statement, cell)

    def _execute(self, statement: ast.stmt, cell: notebooks.ReleasedCell) -> None:
        code = compile(ast.Module([statement], []), f"<instructor's cell {cell.id}>", "exec")
        try:
            exec(code, self)
        except Exception as error:  # what a test needs of it will be missing there, and say so
            self.setdefault("__instructor_errors__", []).append(f"{cell.id or 'a cell'}: {error}")
