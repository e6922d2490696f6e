"""Reads the source again for every word."""

SAYS = "the encoder runs again"
CHANGES = [
    (
        'model.decode(target, state["memory"], state["source"])',
        'model.decode(target, model.encode(state["source"]), state["source"])',
    )
]
