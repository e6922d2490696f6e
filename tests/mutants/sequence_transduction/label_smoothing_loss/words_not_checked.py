"""Lets torch find out that a label is no word."""

SAYS = "it raised RuntimeError"
CHANGES = [
    (
        "if ((words < 0) | (words >= vocab_size)).any():",
        "if False:",
    ),
]
