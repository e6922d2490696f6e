"""The notebook is a folder."""

SCORE = 0.0
STATUS = "failed"
SAYS = "is a folder, not a notebook|no notebook"


def arrange(folder):
    (folder / "ps1.ipynb").unlink()
    (folder / "ps1.ipynb").mkdir()
