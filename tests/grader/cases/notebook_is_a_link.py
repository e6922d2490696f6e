"""The notebook is a link to the solution."""

SCORE = 0.0
STATUS = "failed"
SAYS = "is a link or not a regular file|holds no notebook"


def arrange(folder):
    (folder / "ps1.ipynb").unlink()
    (folder / "ps1.ipynb").symlink_to("../../../source/ps1/ps1.ipynb")
