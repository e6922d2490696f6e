"""Run one cell as a notebook would: output, the value of the last line, figures and the error."""

import ast
import asyncio
import inspect
import io
import linecache
import sys
import traceback

OUTPUT_LIMIT = 64 * 1024
_FIGURE_LIMIT, _FIGURES = 512 * 1024, 5


class Output:
    """What is printed while a request is served, up to a limit."""

    def __init__(self):
        self._pieces: list[list[str]] = []
        self._left = 0

    def start(self) -> None:
        """Begin with nothing; from now on ``print`` ends here."""
        self._pieces, self._left = [], OUTPUT_LIMIT
        sys.stdout, sys.stderr = _Stream(self, "stdout"), _Stream(self, "stderr")

    def stop(self) -> list[list[str]]:
        """Return what was printed as ``[stream, text]`` pieces."""
        return self._pieces

    def add(self, stream: str, text: str) -> None:
        """Keep a piece of text, or the note that the limit is reached."""
        if self._left <= 0:
            return
        self._left -= len(text)
        text = text if self._left > 0 else text[: max(len(text) + self._left, 0)] + "\n... (output ends at the limit)\n"
        if self._pieces and self._pieces[-1][0] == stream:
            self._pieces[-1][1] += text
        else:
            self._pieces.append([stream, text])


class _Stream(io.TextIOBase):
    def __init__(self, output: Output, name: str):
        self._output, self._name = output, name

    def write(self, text: str) -> int:
        self._output.add(self._name, str(text))
        return len(text)

    def writable(self) -> bool:
        return True


class Shell:
    """The little of IPython's shell that a cell may ask for."""

    def __init__(self, namespace: dict):
        self.user_ns = namespace

    def run_line_magic(self, name: str, line: str, *_):
        """Run the statement of ``%time`` and ``%timeit``; other magics have no meaning here."""
        if name in ("time", "timeit", "prun"):
            exec(compile(line, "<cell magic>", "exec"), self.user_ns)

    def run_cell_magic(self, name: str, line: str, cell: str):
        """Run the cell below ``%%time``, ``%%timeit`` and ``%%capture``; other magics have no meaning here."""
        if name in ("time", "timeit", "capture", "prun"):
            exec(compile(cell, "<cell magic>", "exec"), self.user_ns)

    magic = run_line_magic

    def system(self, command: str):
        """Say that a shell command does not run."""
        print(f"(a shell command does not run while grading: {command[:80]})")

    def getoutput(self, command: str, *_, **__):
        """Say that a shell command does not run; its output is empty."""
        self.system(command)
        return []

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


def display(*values, **_) -> None:
    """Print what a notebook would display."""
    for value in values:
        print(repr(value))


def run(source: str, name: str, namespace: dict) -> dict:
    """Execute a cell and return ``{"value": text or None, "figures": [png], "error": None or {...}}``."""
    filename = f"<cell {name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    result = {"value": None, "figures": [], "error": None}
    try:
        tree = ast.parse(source, filename)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        _execute(compile(tree, filename, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), namespace)
        if last is not None:
            code = compile(ast.Expression(last.value), filename, "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            value = _execute(code, namespace)
            if value is not None and not source.rstrip().endswith(";"):
                result["value"] = repr(value)[:OUTPUT_LIMIT]
        result["figures"] = _figures()
    except BaseException as error:
        result["error"] = _describe(error)
    return result


def _execute(code, namespace: dict):
    value = eval(code, namespace)
    return asyncio.run(value) if inspect.CO_COROUTINE & code.co_flags else value


def _describe(error: BaseException) -> dict:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith("<cell ")]
    try:
        message = str(error)
    except Exception:
        message = ""
    text = "".join(traceback.format_list(frames))
    return {"name": type(error).__name__[:200], "message": message[:4000], "traceback": text[-8000:]}


def _figures() -> list[bytes]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    images = []
    for number in pyplot.get_fignums()[:_FIGURES]:
        buffer = io.BytesIO()
        pyplot.figure(number).savefig(buffer, format="png", dpi=72, bbox_inches="tight")
        if len(buffer.getvalue()) <= _FIGURE_LIMIT:
            images.append(buffer.getvalue())
    pyplot.close("all")
    return images
