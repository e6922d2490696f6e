"""Brings a module with the name of the kernel's launcher."""

ANSWERS = {
    "double": """\
def double(x):
    return x
""",
}
SCORE = 8.0
STATUS = "graded"


def arrange(folder):
    (folder / "ipykernel_launcher.py").write_text("print('mine')")
    (folder / "sitecustomize.py").write_text("raise SystemExit")
