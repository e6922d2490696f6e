"""The folder is a link to another student's."""

SCORE = 0.0
STATUS = "failed"
SAYS = "symbolic link"


def arrange(folder):
    (folder / "ps1.ipynb").unlink()
    folder.rmdir()
    folder.symlink_to("../honest-000/ps1")
