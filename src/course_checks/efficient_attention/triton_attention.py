"""The stretch of exercise 17: a kernel in Triton, which is looked at only where Triton can run."""

import importlib.util
import os
from collections.abc import Callable

import torch

from course_checks.cases import Case
from course_checks.efficient_attention.shared import READY_MADE, UNIT, plain
from course_checks.task import Task
from course_checks.words import passed

task = Task("triton_attention", UNIT, READY_MADE)
task.oracle(plain)


@task.mistake("the keys behind the end of the text count: their scores are 0, not -inf", "",
              "mask the scores where the number of the key is not below `length`")  # fmt: skip
def _beyond_the_end(query, key, value):
    rest = -query.shape[0] % 32
    key, value = (torch.cat([x, x.new_zeros(rest, x.shape[1])]) for x in (key, value))
    return plain(query, key, value)


@task.mistake("the scores are not divided by sqrt(d_k)", "", "which argument of the kernel is unused?")
def _no_scale(query, key, value):
    return plain(query * query.shape[1] ** 0.5, key, value)


def texts(length, width, scale=1.0):
    """Draw one head of a text."""

    def make(draw):
        device = "cuda" if torch.cuda.is_available() and not _interpreted() else "cpu"
        return tuple((scale * draw(length, width)).to(device) for _ in range(3))

    return make


def on_cpu(answer, *inputs):
    """Observe a result wherever it was made."""
    return answer(*inputs).cpu()


task.require(
    "one head of attention",
    "the output of attention, of shape (length, d_k)",
    # Products on a GPU are rounded to fewer digits than those of torch.
    [Case("64 positions, d_k = 16", texts(64, 16), on_cpu, within=1e-2),
     Case("77 positions, d_k = 32", texts(77, 32), on_cpu, within=1e-2),
     Case("50 positions, large scores", texts(50, 16, 3.0), on_cpu, within=2e-2)],
)  # fmt: skip


def _interpreted() -> bool:
    return os.environ.get("TRITON_INTERPRET") == "1"


class Stretch:
    """Tries the kernel where there is something to try it with."""

    def check(self, answer: Callable) -> None:
        """Check the answer, or say why not.

        Raises:
            CheckFailed: at the first thing that is wrong.
        """
        if importlib.util.find_spec("triton") is None:
            print("skipped triton_attention: Triton is not installed here, so nothing was tried")
        elif not (_interpreted() or torch.cuda.is_available()):
            print("skipped triton_attention: there is no GPU, and TRITON_INTERPRET was not 1 when Triton was imported")
        else:
            task.check(answer)
            passed(task.name, "tried by Triton's interpreter" if _interpreted() else "tried on the GPU")


stretch = Stretch()
