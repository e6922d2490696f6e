"""timestamp.txt does not hold a date."""

SCORE = 10.0
STATUS = "graded"
SAYS = "does not hold a date"


def arrange(folder):
    (folder / "timestamp.txt").write_text("yesterday, I think")
