"""A check of one's own: the mean of a window that moves along a sequence."""

from torch.nn import functional as F

from course_checks.cases import Case, gradients
from course_checks.task import Task

task = Task("moving_average", unit="")


@task.oracle
def by_torch(x, width):
    """Pool."""
    return F.avg_pool1d(x[None, None], width, stride=1)[0, 0]


@task.solution
def moving_average(x, width):
    """Average the windows."""
    windows = x.unfold(0, width, 1)
    return windows.mean(-1)


task.edit(
    "x.unfold(0, width, 1)",
    {
        "x.unfold(0, width, 1)[:-1]": (
            "the last window is left out",
            "how many windows of 3 fit into 5 numbers?",
            "the result is one number too short",
        ),
        "x.unfold(0, width, width)": (
            "each window begins where the one before it ends",
            "move the window by one number at a time",
        ),
    },
)
task.edit(
    "windows.mean(-1)",
    {"windows.sum(-1)": ("the numbers of a window are added, and not divided", "what is the mean of 2, 2 and 2?")},
)

task.require(
    "the mean of each window",
    "one mean for each place at which the whole window fits",
    visible=[
        Case("7 numbers, width 3", lambda draw: (draw(7), 3)),
        Case("5 numbers, width 2", lambda draw: (draw(5), 2)),
    ],
    hidden=[Case("9 numbers, width 4", lambda draw: (draw(9).double(), 4))],
)
task.require(
    "gradients flow to the numbers",
    "the derivative of the means",
    visible=[Case("the gradient, width 3", lambda draw: (draw(6).double(), 3), gradients())],
)
