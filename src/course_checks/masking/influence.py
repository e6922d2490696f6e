"""Task `influence` of exercise 06, and the predictions that it answers."""

import torch

from course_checks.cases import Case, call
from course_checks.masking import inputs as suspects
from course_checks.masking.shared import UNIT
from course_checks.outcomes import is_tensor
from course_checks.predictions import Predictions, tendency
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("influence", UNIT)

MISSES, INVENTS = "it misses keys or values that have a say", "it sees an influence where there is none"
_PRINT = "print what each of your four probes says of this attention: which of them sees something?"
_SIZES = "which sizes do rows and columns have?"
EXACT = Wrong("outputs or gradients are compared exactly (`!= 0`): numbers that differ by rounding are taken for "
              "different", INVENTS, "compare with the tolerance of the task")  # fmt: skip
# The probes: a change of keys, of values, the gradient of keys, of values; what an answer does that has only these.
PROBES = {
    "cv gk gv": "keys are not changed",
    "ck gk gv": "values are not changed",
    "ck cv gv": "the gradient with respect to the keys is not looked at",
    "ck cv gk": "the gradient with respect to the values is not looked at",
    "gk gv": "the numbers are not changed: only gradients are looked at",
    "ck cv": "gradients are not looked at",
    "cv gv": "keys are neither changed nor differentiated: only values are looked at",
    "ck gk": "values are neither changed nor differentiated: only keys are looked at",
    "cv": "nothing but a change of the values is looked at",
    "ck": "nothing but a change of the keys is looked at",
}


@task.pipeline(
    probes={each: Wrong(cause, MISSES, _PRINT) for each, cause in PROBES.items()},
    join={
        "and": Wrong("the probes are combined with `and`: all of them must see it", MISSES, "one of them is enough"),
        "last": Wrong("each probe overwrites what the one before it has found", MISSES, "`|=` adds to what was found"),
    },
    matrix={
        "transposed": Wrong("the matrix is transposed: row i belongs to output i, column j to key and value j",
                            "", "a change of key j fills a column, the gradient of output i a row"),
        "inverted": Wrong("the matrix is inverted: True means that there is an influence", "", "turn the comparison "
                          "around"),
        "rows": Wrong("a change of key j, or of value j, fills row j", "", "which outputs does changing key j move?"),
        "columns": Wrong("the gradient of output i fills column i", "", "which keys has the gradient of output i?"),
        "square": Wrong("as many queries as keys are taken for granted: the matrix has a row for each key", "", _SIZES),
        "queries": Wrong("as many queries as keys are taken for granted: the loop over the keys ends after as many "
                         "steps as there are queries", "", _SIZES),
        "triangle": Wrong("the mask that should be there is returned: the attention is not asked", "",
                          "what does your function do with `attention`?"),
    },
    change={
        "stays": Wrong("a change stays in place when the next key is changed", INVENTS, "start from a fresh copy for "
                       "each j"),
        "all": Wrong("all keys, or all values, are changed at once (or a column of them, not row j)", INVENTS,
                     "change one row: `other[j] = ...`"),
    },
    size={
        "exact": EXACT,
        "blunt": Wrong("the tolerance is so large that small influences pass under it",
                       "it misses an influence that is small", "print the largest change of each output for each key"),
        "signed changes": Wrong("changes are compared without `abs`: outputs that become smaller are not seen",
                                MISSES, "an influence may be negative"),
        "signed changes, down": Wrong("changes are compared without `abs`: outputs that become smaller are not seen",
                                      MISSES, "an influence may be negative"),
        "signed gradients": Wrong("gradients are compared without `abs`: negative ones are not seen",
                                  MISSES, "an influence may be negative"),
        "every number": Wrong("`all` in the place of `any`: every number of an output must change, or of a gradient be "
                              "large", MISSES, "one number that changes is enough"),
    },
    gradient={
        "of all outputs": Wrong("the gradient is that of the sum of all outputs, so that every row is the same",
                                INVENTS, "one output at a time: `output[i].sum()`"),
        "first number": Wrong("the gradient is that of one number of each output, not of their sum", MISSES,
                              "`output[i].sum()`"),
        "accumulated": Wrong("gradients add up from output to output, as `.grad` does with `backward`",
                             INVENTS, "set `.grad` to None before each output"),
        "graph gone": Wrong("the graph is gone after the first gradient", "", "what keeps a graph for the next call?"),
        "unused": Wrong("an attention that does not use its keys, or its values, is not allowed for", "",
                        "`torch.autograd.grad` has an argument for inputs that are not used"),
    },
)  # fmt: skip
def influence(
    attention, query, key, value, *, probes="ck cv gk gv", join="or", matrix="m, n", change="fresh", size="1e-8",
    gradient="of each output",
):  # fmt: skip
    """Look with one choice for each step."""
    inputs, plain = {"k": key, "v": value}, attention(query, key, value)
    rows = len(key if matrix == "square" else query)
    found = {probe: torch.zeros(rows, len(key), dtype=torch.bool) for probe in ("ck", "cv", "gk", "gv")}

    def large(numbers, of):
        numbers = numbers if size.startswith(f"signed {of}") else numbers.abs()
        seen = numbers > {"exact": 0.0, "blunt": 1e-4}.get(size, 1e-8)
        return seen.all(-1) if size == "every number" else seen.any(-1)

    for name, x in inputs.items():
        other = x
        for j in range(len(query if matrix == "queries" else key)):
            other = (other if change == "stays" else x).clone()
            other[slice(None) if change == "all" else j] += -1.5 if size.endswith("down") else 1.5
            moved = attention(query, *(inputs | {name: other}).values()) - plain
            found[f"c{name}"][j if matrix == "rows" else (slice(None), j)] |= large(moved, "changes")
    leaves = {name: x.clone().requires_grad_() for name, x in inputs.items()}
    output = attention(query, *leaves.values())
    for name, x in leaves.items():
        total = torch.zeros_like(x)
        for i in range(len(query)):
            picked = {"of all outputs": output, "first number": output[i, 0]}.get(gradient, output[i]).sum()
            keep, unused = gradient != "graph gone", gradient != "unused"
            (grad,) = torch.autograd.grad(picked, x, retain_graph=keep, allow_unused=unused)
            total = (total if gradient == "accumulated" else 0) + (torch.zeros_like(x) if grad is None else grad)
            found[f"g{name}"][(slice(None), i) if matrix == "columns" else i] |= large(total, "gradients")
    seen = torch.stack([found[probe] for probe in probes.split()])
    seen = {"and": lambda: seen.all(0), "last": lambda: seen[-1]}.get(join, lambda: seen.any(0))()
    triangle = torch.ones_like(seen).tril()
    return {"transposed": seen.T, "inverted": ~seen, "triangle": triangle}.get(matrix, seen)


def drawn(attention, queries, keys, d_v=3):
    """Draw queries and keys of width 4, and values, in float64."""
    return lambda draw: (
        attention, *(draw(rows, width, dtype=torch.float64) for rows, width in ((queries, 4), (keys, 4), (keys, d_v))),
    )  # fmt: skip


def of_suspect(name, length):
    """Make the case of one suspect, of which is known what reaches what."""
    attention, right = suspects.suspect(name), suspects.reach(name, length)
    return Case(f"suspect {name}, length {length}", drawn(attention, length, length), right=right)


def arguments_left_alone(answer, *inputs):
    """Observe the matrix, and that key and value do not require gradients afterwards."""
    result = call(answer, *inputs)
    if any(each.requires_grad for each in inputs[1:]):
        raise Finding(
            "key or value, as they came in, require gradients afterwards", "arguments that stay as they are",
            "`requires_grad_()` on an argument itself, not on a copy", "which of your tensors are copies?",
        )  # fmt: skip
    return result


SOME = torch.tensor([[1, 0, 1, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 0, 1]]).bool()  # 3 queries, 5 keys
EVERY = torch.ones(3, 5, dtype=torch.bool)
*WAYS, MILLIONTH, ROUNDING = suspects.LEAKS


def of_leak(leak, keys=5, right=EVERY, observe=call):
    """Make the case of an attention that obeys a mask, and in which all keys or values have a say in one way alone."""
    attention = suspects.masked(SOME[:, :keys], leak=leak)
    return Case(f"{leak}, {keys} keys", drawn(attention, 3, keys), observe, right=right[:, :keys])


def not_rounding(answer, *inputs):
    """Observe the matrix; which numbers differ by rounding alone depends on how far a key was moved."""
    seen = call(answer, *inputs)
    is_matrix = is_tensor(seen) and seen.shape == SOME.shape and seen.dtype == torch.bool
    if is_matrix and (seen | SOME).equal(seen) and not seen.equal(SOME):
        raise Finding(EXACT.sees, EXPECTED, EXACT.cause, EXACT.hint)
    return seen


EXPECTED = "True at (i, j) where output i depends on key j or on value j, in shape (query_length, key_length)"
task.require(
    "rows are outputs, columns are keys and values",
    EXPECTED,
    [of_suspect("A", 5),
     Case("3 queries, 5 keys, a mask", drawn(suspects.masked(SOME), 3, 5), arguments_left_alone, right=SOME),
     of_suspect("F", 5)],
    [of_suspect("D", 6),
     Case("more queries than keys", drawn(suspects.masked(SOME.T[:3, 1:]), 3, 2), right=SOME.T[:3, 1:]),
     Case("more keys than queries", drawn(suspects.masked(SOME[:2]), 2, 5, 6), right=SOME[:2])],
)  # fmt: skip
task.require(
    "every way is seen: changed keys, changed values, both gradients",
    EXPECTED,
    [*map(of_leak, WAYS), of_suspect("B", 5), of_suspect("I", 5), of_suspect("H", 5)],
    [of_suspect("E", 6), *(of_leak(leak, 4) for leak in WAYS), of_suspect("B", 7), of_suspect("I", 4)],
    _PRINT,
)
task.require(
    "an attention may do without its keys, or without its values",
    EXPECTED,
    [Case("the plain mean of the values", drawn(suspects.plain_mean, 3, 5), right=EVERY),
     Case("a mixture of the keys", drawn(suspects.keys_alone, 3, 5, 4), right=EVERY)],
    [Case("no keys are used", drawn(suspects.plain_mean, 2, 4), right=torch.ones(2, 4).bool())],
)  # fmt: skip
task.require(
    "rounding is no influence, and a millionth is one",
    EXPECTED,
    [of_suspect("G", 5), of_leak(ROUNDING, right=SOME, observe=not_rounding), of_leak(MILLIONTH)],
    [of_suspect("G", 7), of_suspect("C", 6)],
    "compare with a tolerance of 1e-8",
)
task.limits(
    "one query, one key",
    [of_suspect("A", 1), Case("one query, 4 keys", drawn(suspects.masked(SOME[:1, :4]), 1, 4), right=SOME[:1, :4])],
)


def stacked(attention):
    """Put an attention on top of another: the outputs of the first are the keys and values of the second."""

    def twice(query, key, value):
        first = attention(query, key, value)
        return attention(query, first, first)

    return twice


def _measure() -> list[str]:
    back = torch.arange(6)[:, None] - torch.arange(6)
    draw = torch.Generator().manual_seed(0)
    query, key, value = torch.randn(3, 6, 4, generator=draw, dtype=torch.float64)
    words = []
    for mask in (back >= 0, (back >= 0) & (back < 2), back >= -1, back > 0):

        def attention(query, key, value, mask=mask):
            scores = (query @ key.mT / 2).masked_fill(~mask, -1e30)
            return torch.softmax(scores, -1) * mask.any(-1, keepdim=True) @ value

        found = [influence(each, query, key, value).sum().item() for each in (attention, stacked(attention))]
        words.append(tendency(*found, tolerance=0.01))
    return words


predictions = Predictions(("causal", "window of 2", "one place too wide", "without the diagonal"), _measure, "task 6")
