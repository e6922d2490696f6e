"""The notebook has the student's name."""

SCORE = 10.0
STATUS = "graded"
SAYS = "handed in as Ada Lovelace.ipynb"


def arrange(folder):
    (folder / "ps1.ipynb").rename(folder / "Ada Lovelace.ipynb")
