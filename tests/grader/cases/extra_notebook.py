"""Another notebook lies beside the right one."""

SCORE = 10.0
STATUS = "graded"


def arrange(folder):
    (folder / "scratch.ipynb").write_text("{}")
