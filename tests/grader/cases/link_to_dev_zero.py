"""A data file is a link to an endless device."""

SCORE = 10.0
STATUS = "graded"
SAYS = "data.csv' is a link"


def arrange(folder):
    (folder / "data.csv").symlink_to("/dev/zero")
