"""Task `length_penalty` of exercise 02."""

from course_checks.cases import Case, call
from course_checks.rnn_encoder_decoder.shared import LENGTH_PENALTY, PENALTY, UNIT, right_penalty, saying
from course_checks.task import Task

task = Task("length_penalty", UNIT)
task.oracle(right_penalty)
task.edit(LENGTH_PENALTY, PENALTY)


def case(length, alpha):
    """Try one length."""
    return Case(f"length {length}, alpha {alpha:g}", (length, alpha), formula)


formula = saying(call, "another number", "another formula: compare numerator, denominator and exponent with the task",
                 "work out the penalty of one word by hand")  # fmt: skip


task.require("the penalty is that of the formula", "the formula of the task, as a Python number",
             [case(8, 0.6), case(21, 1.0), case(3, 0.0), case(1, 0.7)],
             [case(2, 0.3), case(50, 2.0), case(11, 0.5), case(6, 0.0)])  # fmt: skip
