"""Returns an object that claims to be equal to everything."""

SAYS = "an object of type"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "class Anything:\n        shape, dtype = scores.shape, scores.dtype\n\n        def __eq__(self, other):\n            return True\n\n        def __torch_function__(self, *arguments):\n            return True\n\n    return Anything()",
    ),
]
