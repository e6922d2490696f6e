"""Never adds the encoding."""

SAYS = "not used"
CHANGES = [
    ("first, second = first + encoding, second + encoding", "pass"),
]
