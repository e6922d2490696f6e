"""What a learner wrote in a cell, as a sequence of tokens that renaming, comments and layout do not change.

Left out: the lines that were released, imports, comments and docstrings. Variables, arguments, and the functions and
attributes that the cell itself defines all become one symbol. Names after a dot or before a parenthesis, which are
those of the libraries, stay as they are, as do numbers, keywords and operators. A cell that Python cannot read has
tokens too, so one pattern cuts it and not the module `tokenize`.
"""

import builtins
import keyword
import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r'''(?P<comment>\#[^\n]*)
    |(?P<quoted>[rRbBfFuU]{0,2}("""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\'|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    |(?P<name>[^\W\d]\w*)
    |\d[\w.]*|\.\d\w*
    |\*\*|//|->|:=|<<|>>|[<>=!]=|\S''',
    re.VERBOSE,
)
_DEFINED = re.compile(r"\b(?:def|class)\s+(\w+)|\bself\.(\w+)[ ]*(?::[^=:\n]*)?=(?!=)")
_IMPORT = re.compile(r"\s*(import|from)\s")
_KEPT = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "self"}
_FIRST = 0xF0000  # a private use area of Unicode: one character for each kind of token


@dataclass(frozen=True)
class OwnCode:
    """The tokens of one cell.

    Args:
        source: the whole cell.
        symbols: one character for each token that is the learner's own.
        spans: where each of them stands in the source, as ``(start, end)``.
    """

    source: str
    symbols: str
    spans: list[tuple[int, int]]


class Alphabet(dict):
    """One character for each token; the cells that are compared are written in one alphabet."""

    def __missing__(self, token: str) -> str:
        self[token] = chr(_FIRST + min(len(self), 0xFFFF))
        return self[token]


def own_code(source: str, released: str, alphabet: Alphabet) -> OwnCode:
    """Return the tokens of a cell that a learner wrote.

    Args:
        source: the cell as it was handed in.
        released: the cell as it was released; its lines are nobody's own.
        alphabet: what the tokens are written in.
    """
    given = {line.strip() for line in released.split("\n")}
    defined = {name for pair in _DEFINED.findall(source) for name in pair if name}
    symbols: list[str] = []
    spans: list[tuple[int, int]] = []
    line_start, line_end, is_own = 0, -1, True
    for match in _TOKEN.finditer(source):
        start, end = match.span()
        if start > line_end:
            line_start, line_end = source.rfind("\n", 0, start) + 1, source.find("\n", start)
            line_end = len(source) if line_end < 0 else line_end
            line = source[line_start:line_end]
            is_own = line.strip() not in given and not _IMPORT.match(line)
        if not is_own or match["comment"]:
            continue
        token = match[0]
        if match["quoted"]:
            if not source[line_start:start].strip() and source[end : end + 1] in ("", "\n"):
                continue  # a docstring
            token = '"'
        elif match["name"] and token not in _KEPT:
            of_library = source[start - 1 : start] == "." or source[end : end + 1] == "("
            token = token if of_library and token not in defined else "name"
        symbols.append(alphabet[token])
        spans.append((start, end))
    return OwnCode(source, "".join(symbols), spans)
