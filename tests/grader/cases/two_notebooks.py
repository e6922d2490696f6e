"""Beside the notebook lies another one, with better answers."""

SCORE = 8.0
STATUS = "graded"
SAYS = "also holds ps1 \\(1\\).ipynb, of which nothing was graded"


def arrange(folder):
    import json

    path = folder / "ps1.ipynb"
    path.rename(folder / "ps1 (1).ipynb")
    document = json.loads((folder / "ps1 (1).ipynb").read_text())
    for cell in document["cells"]:
        if cell["id"] == "double":
            cell["source"] = "def double(x):\n    return 3 * x"
    path.write_text(json.dumps(document))
