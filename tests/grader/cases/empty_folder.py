"""A folder with nothing in it."""

SCORE = 0.0
STATUS = "failed"
SAYS = "the folder is empty"


def arrange(folder):
    (folder / "ps1.ipynb").unlink()
