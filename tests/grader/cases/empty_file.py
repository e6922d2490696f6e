"""The file is empty."""

SCORE = 0.0
STATUS = "failed"
SAYS = "empty file"


def arrange(folder):
    (folder / "ps1.ipynb").write_text("")
