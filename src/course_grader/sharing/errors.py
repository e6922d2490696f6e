"""Exceptions across the wire: the nearest built-in type, the message, and the learner's line."""

import builtins
import traceback

_EXCEPTIONS = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, UnicodeError | StopIteration)
}
_BUILTIN = frozenset(_EXCEPTIONS.values())
_MESSAGE_LIMIT = 4000


class Errors:
    """Encodes and decodes exceptions; one that was raised here and comes back is the same object.

    Args:
        trusted: True on the side of the tests.
    """

    def __init__(self, trusted: bool):
        self._trusted = trusted
        self._raised: dict[int, BaseException] = {}

    def encode(self, error: BaseException) -> dict:
        """Return the form of an exception that is raised here."""
        known = getattr(error, "_course_grader_number", None)
        kind = next((each for each in type(error).__mro__ if each in _BUILTIN), RuntimeError)
        message = error.args[0] if error.args and type(error.args[0]) is str else _safe_text(error)
        if isinstance(error, SystemExit):
            message = "the code asked the process to exit"
        form = {"type": kind.__name__, "name": type(error).__name__[:200], "message": message[:_MESSAGE_LIMIT]}
        if self._trusted:
            self._raised[id(error)] = error
            return form | {"number": id(error)}
        frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.startswith("<cell ")]
        form["traceback"] = "".join(traceback.format_list(frames))[-_MESSAGE_LIMIT:]
        if frames:
            form |= {"cell": frames[-1].filename, "line": frames[-1].lineno}
        return form if known is None else form | {"known": known}

    def decode(self, form: dict) -> BaseException:
        """Return the exception of a form, to be raised here."""
        if self._trusted and form.get("known") in self._raised:
            return self._raised[form["known"]]
        message = form.get("message")
        error = _EXCEPTIONS.get(form.get("type"), RuntimeError)(message if type(message) is str else "")
        if self._trusted:
            error.student_traceback = str(form.get("traceback", ""))[:_MESSAGE_LIMIT]
            return _at_line(error, form.get("cell"), form.get("line"))
        error._course_grader_number = form.get("number")
        return error


def _safe_text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        return ""
    return text if type(text) is str else ""


def _at_line(error: Exception, cell, line) -> Exception:
    """Give an error the traceback that it had in the submission: its last frame is the learner's line."""
    if type(cell) is not str or not cell.startswith("<cell ") or type(line) is not int or not 0 < line < 10_000:
        return error
    code = compile("\n" * (line - 1) + "raise error", cell[:200], "exec")
    try:
        exec(code, {"error": error})
    except Exception as raised:
        return raised
    return error
