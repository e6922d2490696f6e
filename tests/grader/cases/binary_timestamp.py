"""timestamp.txt is not text."""

SCORE = 10.0
STATUS = "graded"
SAYS = "does not hold a date"


def arrange(folder):
    (folder / "timestamp.txt").write_bytes(bytes(range(128, 256)))
