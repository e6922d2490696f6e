"""A file that is not text."""

SCORE = 0.0
STATUS = "failed"
SAYS = "not valid JSON"


def arrange(folder):
    (folder / "ps1.ipynb").write_bytes(bytes(range(256)))
