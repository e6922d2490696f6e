"""A link to nothing."""

SCORE = 10.0
STATUS = "graded"
SAYS = "is a link"


def arrange(folder):
    (folder / "data.csv").symlink_to("nowhere")
