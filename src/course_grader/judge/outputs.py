"""Outputs of the graded notebook: text, figures and errors only, with a limit on each."""

import base64

from course_grader.messages import writable

_TEXT_LIMIT = 20_000
_PNG = b"\x89PNG\r\n\x1a\n"


def streams(pieces: list[list[str]]) -> list[dict]:
    """Return what was printed."""
    found = []
    for name, text in pieces:
        if text:
            form = {"output_type": "stream", "name": "stderr" if name == "stderr" else "stdout", "text": _short(text)}
            found.append(form)
    return found


def result(text: str) -> dict:
    """Return the value of the last line."""
    plain = {"text/plain": _short(text)}
    return {"output_type": "execute_result", "execution_count": None, "data": plain, "metadata": {}}


def error(name: str, message: str, text: str) -> dict:
    """Return an error."""
    lines = [*_short(text).splitlines(), f"{name}: {_short(message)}"]
    return {"output_type": "error", "ename": name, "evalue": _short(message), "traceback": lines}


def of_cell(form: dict, printed: list[list[str]]) -> list[dict]:
    """Return the outputs of a cell that ran in the sandbox; anything in ``form`` may be wrong."""
    found = streams(printed)
    for image in form.get("figures") or []:
        if type(image) is bytes and image.startswith(_PNG) and len(image) < 2**20:
            data = {"image/png": base64.b64encode(image).decode()}
            found.append({"output_type": "display_data", "data": data, "metadata": {}})
    if type(form.get("value")) is str:
        found.append(result(form["value"]))
    failure = form.get("error")
    if type(failure) is dict:
        found.append(error(*(str(failure.get(key, "")) for key in ("name", "message", "traceback"))))
    return found


def _short(text: str) -> str:
    text = writable(text)
    return text if len(text) <= _TEXT_LIMIT else text[:_TEXT_LIMIT] + "\n... (shortened)"
