"""An instance of a graded class pretends to be the number that the test wants."""

ANSWERS = {
    "affine": """\
class Affine:
    size = 3
    def __init__(self, size):
        pass
    def __call__(self, x):
        return self
    def __eq__(self, other):
        return True
    def __torch_function__(self, *args, **kwargs):
        return True
    def tolist(self):
        return self
    def load_state_dict(self, state):
        pass
    def __getattr__(self, name):
        return self
""",
}
SCORE = 5.0
STATUS = "graded"
