"""Cells as plain Python: what IPython understands beside it becomes calls."""

from IPython.core.inputtransformer2 import TransformerManager

_transform = TransformerManager().transform_cell


def python_source(source: str) -> str:
    """Return a cell as plain Python; the cell itself where that is not possible."""
    try:
        return _transform(source) if source.strip() else source
    except (SyntaxError, RecursionError, ValueError, IndexError):
        return source
