"""Cells as plain Python: what IPython understands beside it becomes calls."""

import ast
import functools

from IPython.core.inputtransformer2 import TransformerManager

_transform = TransformerManager().transform_cell


@functools.lru_cache(1000)
def python_source(source: str) -> str:
    """Return a cell as plain Python; the cell itself where that is not possible."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        try:
            return _transform(source)
        except (SyntaxError, ValueError, RuntimeError, IndexError):  # RuntimeError: more than 500 magics
            return source
    return source
