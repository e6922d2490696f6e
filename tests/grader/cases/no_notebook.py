"""A folder with other files only."""

SCORE = 0.0
STATUS = "failed"
SAYS = "no notebook"


def arrange(folder):
    (folder / "ps1.ipynb").rename(folder / "ps1.txt")
