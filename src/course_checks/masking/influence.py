"""Task `influence` of exercise 06, and the predictions that it answers."""

import torch

from course_checks.cases import Case, call, drawn
from course_checks.masking import inputs as suspects
from course_checks.masking.shared import UNIT
from course_checks.outcomes import is_tensor
from course_checks.predictions import Predictions, tendency
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("influence", UNIT)

MISSES, INVENTS = "it misses keys or values that have a say", "it sees an influence where there is none"
_PRINT = "print what each of your four probes says of this attention: which of them sees something?"
_NEGATIVE = "an influence may be negative"
_ORDINARY = "which numbers does the task want in their place?"
_SIZES = "which sizes do rows and columns have?"
EXACT = Wrong("outputs or gradients are compared exactly (`!= 0`): numbers that differ by rounding are taken for "
              "different", INVENTS, "compare with the tolerance of the task")  # fmt: skip
# fmt: off
_KEY, _VALUE = "attention(query, other_key, value)", "attention(query, key, other_value)"
_CHANGES, _SEEN = f"in ({_KEY}, {_VALUE})", "in gradients"
# There are four things to look at: a change of the keys, of the values, the gradient of the keys, of the values.
task.edit(_CHANGES, {
    f"in ({_VALUE},)": ("keys are not changed", _PRINT, MISSES),
    f"in ({_KEY},)": ("values are not changed", _PRINT, MISSES),
    "in ()": ("the numbers are not changed: only gradients are looked at", _PRINT, MISSES),
    "in (attention(query, other_key, other_value),)": ("key j and value j are changed in one call: what one of them "
        "does may hide what the other does", "how many calls does it take to try each of them alone?", MISSES),
})
task.edit(_SEEN, {
    "in gradients[1:]": ("the gradient with respect to the keys is not looked at", _PRINT, MISSES),
    "in gradients[:1]": ("the gradient with respect to the values is not looked at", _PRINT, MISSES),
    "in ()": ("gradients are not looked at", _PRINT, MISSES),
})
for changed, seen, cause in (
    (_VALUE, "gradients[1:]", "keys are neither changed nor differentiated: only values are looked at"),
    (_KEY, "gradients[:1]", "values are neither changed nor differentiated: only keys are looked at"),
    (_VALUE, "()", "nothing but a change of the values is looked at"),
    (_KEY, "()", "nothing but a change of the keys is looked at"),
):
    task.edit_places({_CHANGES: f"in ({changed},)", _SEEN: f"in {seen}"}, cause, _PRINT, MISSES)
task.edit_places({"zeros(": "ones(", "reached[:, j] |=": "reached[:, j] &=", "reached[i] |=": "reached[i] &="},
                 "the probes are combined with `and`: all of them must see it", "one of them is enough", MISSES)
task.edit_places({"key, value = key.clone": "changes, reached = reached, torch.zeros_like(reached)\nkey, value = "
                  "key.clone", "return reached": "return reached & changes"},
                 "changes and gradients are combined with `and`: only what both of them see is reported",
                 "one of them is enough", MISSES)
task.edit_all("|=", {"=": (
    "each probe overwrites what the one before it has found", "`|=` adds to what was found", MISSES)})
task.edit("return reached", {
    "return reached.T": ("the matrix is transposed: row i belongs to output i, column j to key and value j",
        "a change of key j fills a column, the gradient of output i a row"),
    "return ~reached": ("the matrix is inverted: True means that there is an influence", "turn the comparison around"),
    "return torch.ones_like(reached).tril()": ("the mask that should be there is returned: the attention is not asked",
        "what does your function do with `attention`?"),
})
task.edit("reached[:, j] |=", {"reached[j] |=": (
    "a change of key j, or of value j, fills row j", "which outputs does changing key j move?")})
task.edit("reached[i] |=", {"reached[:, i] |=": (
    "the gradient of output i fills column i", "which keys has the gradient of output i?")})
task.edit("zeros(len(query), ", {"zeros(len(key), ": (
    "as many queries as keys are taken for granted: the matrix has a row for each key", _SIZES)})
task.edit("range(len(key))", {"range(len(query))": ("as many queries as keys are taken for granted: the loop over the "
    "keys ends after as many steps as there are queries", _SIZES)})
task.edit_places({"for j in range(len(key)):\nother_key, other_value = key.clone(), value.clone()":
                  "other_key, other_value = key.clone(), value.clone()\nfor j in range(len(key)):"},
                 "a change stays in place when the next key is changed", "start from a fresh copy for each j", INVENTS)
task.edit("other_key[j] += 1.5\nother_value[j] += 1.5", {
    "other_key += 1.5\nother_value += 1.5": (
        "all keys, or all values, are changed at once (or a column of them, not row j)",
        "change one row: `other[j] = ...`", INVENTS),
    "other_key[j] = 0\nother_value[j] = 0": (
        "the numbers are set to 0, or multiplied: what is 0 already stays as it is", _ORDINARY, MISSES),
    "other_key[j] += 1e-3\nother_value[j] += 1e-3": (
        "the change is so small that an attention may round it away", _ORDINARY, MISSES),
})
task.edit("1e-8", {
    "0": EXACT,
    "1e-4": ("the tolerance is so large that small influences pass under it",
             "print the largest change of each output for each key", "it misses an influence that is small"),
})
task.edit("(changed - plain).abs()", {
    change: ("changes are compared without `abs`: outputs that become smaller are not seen", _NEGATIVE, MISSES)
    for change in ("(changed - plain)", "(plain - changed)")})
task.edit("((changed - plain).abs() > tolerance).any(dim=-1)", {"(changed - plain).sum(dim=-1).abs() > tolerance": (
    "the changes of an output are added up before they are compared, and can cancel",
    "one number that changes is enough", MISSES)})
task.edit("gradient.abs()", {"gradient": (
    "gradients are compared without `abs`: negative ones are not seen", _NEGATIVE, MISSES)})
task.edit_all(".abs()", {"": (
    "neither changes nor gradients are compared with `abs`: only what grows is seen", _NEGATIVE, MISSES)})
task.edit_all("any(", {"all(": ("`all` in the place of `any`: every number of an output must change, or of a gradient "
    "be large", "one number that changes is enough", MISSES)})
task.edit("output[i].sum()", {
    "output.sum()": ("the gradient is that of the sum of all outputs, so that every row is the same",
                     "one output at a time: `output[i].sum()`", INVENTS),
    "output[i, 0]": (
        "the gradient is that of one number of each output, not of their sum", "`output[i].sum()`", MISSES),
    "output[: i + 1].sum()": ("gradients add up from output to output, as `.grad` does with `backward`",
                              "set `.grad` to None before each output", INVENTS),
})
task.edit(", retain_graph=True", {"": (
    "the graph is gone after the first gradient", "what keeps a graph for the next call?")})
task.edit(", allow_unused=True", {"": ("an attention that does not use its keys, or its values, is not allowed for",
    "`torch.autograd.grad` has an argument for inputs that are not used")})
# fmt: on


def inputs(attention, queries, keys, d_v=3):
    """Draw queries and keys of width 4, and values."""
    return lambda draw: (attention, *drawn(f"{queries} 4; {keys} 4; {keys} {d_v}", dtype=torch.float64)(draw))


def of_suspect(name, length):
    """Make the case of one suspect, of which is known what reaches what."""
    attention, right = suspects.suspect(name), suspects.reach(name, length)
    return Case(f"suspect {name}, length {length}", inputs(attention, length, length), right=right)


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
    return Case(f"{leak}, {keys} keys", inputs(attention, 3, keys), observe, right=right[:, :keys])


def not_rounding(answer, *inputs):
    """Observe the matrix; which numbers differ by rounding alone depends on how far a key was moved."""
    seen = call(answer, *inputs)
    is_matrix = is_tensor(seen) and seen.shape == SOME.shape and seen.dtype == torch.bool
    if is_matrix and (seen | SOME).equal(seen) and not seen.equal(SOME):
        raise Finding(EXACT.sees, EXPECTED, EXACT.cause, EXACT.hint)
    return seen


def from_zero(queries, keys):
    """Make the case of keys and values that are 0, all of which reach all outputs."""
    attention, nothing = suspects.from_zero(SOME[:queries, :keys]), torch.zeros(keys, 4).double()
    return Case(
        f"{queries} queries, {keys} keys and values that are all 0",
        lambda draw: (attention, draw(queries, 4).double(), nothing.clone(), nothing.clone()),
        right=EVERY[:queries, :keys],
    )


def switch(draw):
    """Draw query, key and value, for an attention that leaks the keys while the values stay."""
    _, query, key, value = inputs(None, 3, 5)(draw)
    return suspects.switched(SOME, key.clone(), value.clone()), query, key, value


EXPECTED = "True at (i, j) where output i depends on key j or on value j, in shape (query_length, key_length)"
task.require("rows are outputs, columns are keys and values", EXPECTED,
             [of_suspect("A", 5),
              Case("3 queries, 5 keys, a mask", inputs(suspects.masked(SOME), 3, 5), arguments_left_alone, right=SOME),
              of_suspect("F", 5)],
             [of_suspect("D", 6),
              Case("more queries than keys", inputs(suspects.masked(SOME.T[:3, 1:]), 3, 2), right=SOME.T[:3, 1:]),
              Case("more keys than queries", inputs(suspects.masked(SOME[:2]), 2, 5, 6), right=SOME[:2])])  # fmt: skip
task.require("every way is seen: changed keys, changed values, both gradients", EXPECTED,
             [from_zero(3, 5), *map(of_leak, WAYS), of_suspect("B", 5), of_suspect("I", 5),
              Case("a leak of the keys while the values stay", switch, right=EVERY), of_suspect("H", 5),
              Case("a leak of which the numbers of an output cancel", inputs(suspects.balanced(SOME), 3, 5),
                   right=EVERY)],
             [from_zero(2, 4), of_suspect("E", 6), *(of_leak(leak, 4) for leak in WAYS), of_suspect("B", 7),
              of_suspect("I", 4)],
             _PRINT)  # fmt: skip
task.require("an attention may do without its keys, or without its values", EXPECTED,
             [Case("the plain mean of the values", inputs(suspects.plain_mean, 3, 5), right=EVERY),
              Case("a mixture of the keys", inputs(suspects.keys_alone, 3, 5, 4), right=EVERY)],
             [Case("no keys are used", inputs(suspects.plain_mean, 2, 4), right=torch.ones(2, 4).bool())])  # fmt: skip
task.require("rounding is no influence, and a millionth is one", EXPECTED,
             [of_suspect("G", 5), of_leak(ROUNDING, right=SOME, observe=not_rounding), of_leak(MILLIONTH)],
             [of_suspect("G", 7), of_suspect("C", 6)], "compare with a tolerance of 1e-8")  # fmt: skip
task.limits("one query, one key",
            [of_suspect("A", 1),
             Case("one query, 4 keys", inputs(suspects.masked(SOME[:1, :4]), 1, 4), right=SOME[:1, :4])])  # fmt: skip


def _measure() -> list[str]:
    """Ask for the pairs that one attention joins, and those that two of them join, one on top of the other."""
    back, words = torch.arange(6)[:, None] - torch.arange(6), []
    for mask in (back >= 0, (back >= 0) & (back < 2), back >= -1, back > 0):
        twice = mask.float() @ mask.float() > 0
        words.append(tendency(mask.sum().item(), twice.sum().item(), tolerance=0.01))
    return words


predictions = Predictions(("causal", "window of 2", "one place too wide", "without the diagonal"), _measure, "task 6")
