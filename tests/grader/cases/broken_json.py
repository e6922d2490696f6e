"""The file was cut off."""

SCORE = 0.0
STATUS = "failed"
SAYS = "not valid JSON"


def arrange(folder):
    path = folder / "ps1.ipynb"
    path.write_text(path.read_text()[:500])
