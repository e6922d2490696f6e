"""A check of one's own: the mean of a window that moves along a sequence."""

from torch.nn import functional as F

from course_checks.cases import Case, gradients
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("moving_average", unit="")


@task.oracle
def by_torch(x, width):
    """Pool."""
    return F.avg_pool1d(x[None, None], width, stride=1)[0, 0]


@task.pipeline(
    windows={
        "one lost": Wrong(
            "the last window is left out",
            "the result is one number too short",
            "how many windows of 3 fit into 5 numbers?",
        ),
        "apart": Wrong(
            "each window begins where the one before it ends", "", "move the window by one number at a time"
        ),
    },
    mean={"sum": Wrong("the numbers of a window are added, and not divided", "", "what is the mean of 2, 2 and 2?")},
)
def moving_average(x, width, *, windows="all", mean="divided"):
    """Average with one choice for each step."""
    parts = x.unfold(0, width, width if windows == "apart" else 1)
    parts = parts[:-1] if windows == "one lost" else parts
    return parts.sum(-1) if mean == "sum" else parts.mean(-1)


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
