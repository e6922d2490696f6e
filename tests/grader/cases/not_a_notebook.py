"""A valid JSON file that is no notebook."""

SCORE = 0.0
STATUS = "failed"
SAYS = "no cells"


def arrange(folder):
    (folder / "ps1.ipynb").write_text('{"name": "ps1"}')
