"""A browser renamed the download."""

SCORE = 10.0
STATUS = "graded"
SAYS = "handed in as ps1 \\(1\\).ipynb"


def arrange(folder):
    (folder / "ps1.ipynb").rename(folder / "ps1 (1).ipynb")
