"""A file of brackets, made to exhaust whoever reads it."""

SCORE = 0.0
STATUS = "failed"
SAYS = "not valid JSON"


def arrange(folder):
    (folder / "ps1.ipynb").write_text("[" * 10**6)
