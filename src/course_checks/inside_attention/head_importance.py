"""Task `head_importance` of exercise 12: the drops, the way back, and an evaluation that fails."""

import torch

from course_checks.cases import Case
from course_checks.inside_attention.inputs import UNIT
from course_checks.inside_attention.models import FAILS, TwoAttentions, counted, failing
from course_checks.task import Task
from course_checks.words import Finding

task = Task("head_importance", UNIT)
_FINALLY = "`try: ... finally: ...`, or a context manager: what stands in `finally` happens in any case"
_ONE = "silence head 0, score, put it back, and compare the score with the one before"
_BLOCK = "head i is read by the columns from i * d_k up to (i + 1) * d_k of `w_output.weight`: (outputs, inputs)"


@task.oracle
def right(heads, evaluate):
    """Silence the head in a hook: zeros take the place of what it says, before w_output reads it."""
    complete, drops = evaluate(), []
    for attention, index in heads:

        def silence(module, inputs, attention=attention, index=index):
            changed = inputs[0].clone()
            changed[..., index * attention.d_k : (index + 1) * attention.d_k] = 0.0
            return (changed,)

        hook = attention.w_output.register_forward_pre_hook(silence)
        try:
            drops.append(complete - evaluate())
        finally:
            hook.remove()
    return drops


# fmt: off
_OWN, _ALL = "weight[:, index * attention.d_k : (index + 1) * attention.d_k]", "leave the bias as it is"
_COLUMN = "one single column is zeroed: a head has d_k of them", _BLOCK, "too little is silenced"
_MODE = ("`.eval()` or `.train()` is called", "leave it out: the mode is up to `evaluate`",
         "a module is in another mode than before")
_SILENT, _READ = "the head still says something", "silence the head where it is read, in `w_output.weight`"
_OTHER = "something other than a head is silenced"
task.edit(f"{_OWN} = 0.0", {
    "weight[index * attention.d_k : (index + 1) * attention.d_k] = 0.0": (
        "rows of `w_output.weight` are zeroed: they belong to outputs, into which all heads are mixed", _BLOCK, _OTHER),
    f"{_OWN.replace('index * ', '(index - 1) * ').replace('(index + 1)', 'index')} = 0.0": (
        "the columns of the head before are zeroed: heads are counted from 1", _BLOCK, _OTHER),
    f"{_OWN} = 0.0\ncomplete = evaluate()": (
        "the complete score is measured again while a head is silent", "print both scores of each difference",
        "no head makes a difference"),
    f"{_OWN.replace('index * ', '(index + 1) * ').replace(': (index + 1)', ': (index + 2)')} = 0.0": (
        "the columns of the head after are zeroed: heads are counted from 0", _BLOCK, _OTHER),
    "weight[:, index] = 0.0": _COLUMN,
    "weight[:, index * attention.d_k] = 0.0": _COLUMN,
    f"{_OWN.replace('d_k', 'num_heads')} = 0.0": (
        "the columns are counted in steps of num_heads; a head has d_k of them", _BLOCK, _OTHER),
    "weight[:, index :: attention.num_heads] = 0.0": (
        "every num_heads-th column is zeroed: a head owns columns that lie side by side", _BLOCK, _OTHER),
    "weight.zero_()": ("all of w_output is zeroed", _BLOCK, "all heads of an attention have the same drop"),
    f"weight.zero_()\n{_OWN} = original[:, index * attention.d_k : (index + 1) * attention.d_k]": (
        "what should stay is zeroed, and the head kept", _BLOCK, "the other heads are silenced"),
    "weight.detach().clone()[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0": (
        "the weights are put back before `evaluate` is called, or a copy is changed",
        "print the score between the change and the way back", "no head makes a difference"),
    f"{_OWN} = 0.0\nattention.train()": _MODE,
    f"{_OWN} = 0.0\nattention.eval()": _MODE,
    f"{_OWN} = weight.mean()": (
        "something other than 0 takes the place of the head's columns", "what does a head say that is silent?"),
    f"{_OWN} = 0.0\nweight.requires_grad_(False)": (
        "`requires_grad_(False)` is called, which stays", "`torch.no_grad()` around the change is enough",
        "a weight is frozen afterwards"),
})
for parameter, place, words in (
    ("w_output.bias", ":", ("the bias of w_output is zeroed too: it belongs to no head", _ALL, "too much is silenced")),
    ("w_value.weight", "index * attention.d_k : (index + 1) * attention.d_k", (
        "the weight of w_value is zeroed: its bias still passes, since the weights of a row sum to 1", _READ, _SILENT)),
    ("w_query", "", ("the queries are zeroed: the map of the head becomes even, it is not silenced", _READ, _SILENT)),
):
    both = parameter == "w_output.bias"
    zeroed = [f"attention.{parameter}[{place}] = 0.0"] if place else [
        f"attention.w_query.{each}[index * attention.d_k : (index + 1) * attention.d_k] = 0.0"
        for each in ("weight", "bias")]
    task.edit_places({
        "complete = ": "state = [(each, each.detach().clone()) for layer, _ in heads for each in layer.parameters()]\n"
                       "complete = ",
        f"{_OWN} = 0.0": "\n".join([f"{_OWN} = 0.0"] * both + zeroed),
        "weight.copy_(original)": "for each, old in state:\n    each.copy_(old)",
    }, *words)
task.edit_places({"complete = ": "kept = []\ncomplete = ", "weight.copy_(original)": "kept.append((weight, original))",
                  "return drops": "for weight, old in reversed(kept):\n    weight.data.copy_(old)\nreturn drops"},
                 "heads stay silent while the next ones are measured: nothing is put back before that",
                 "put a `clone()` of the weights back before you go on to the next head",
                 "the first drop is right, later ones are not")
task.edit("weight.detach().clone()", {
    "weight.detach()": (
        "zeros are put back: heads are put back only at the end, with copies made while others were silent; or what is "
        "kept is a view, which is silenced with the weight, or a copy made when the head was silent already",
        "put a `clone()` of the weights back before you go on to the next head",
        "the first drop is right, and the head stays silent"),
})
task.edit("weight.copy_(original)", {
    "weight.copy_((original + 0.1) - 0.1)": (
        "the weights are calculated back, by a sum or a product: `(w - a) + a` is not always w",
        "copy a `clone()` back", "the weights are not what they were, bit for bit"),
})
task.edit("finally:", {
    "except NotImplementedError:\n    pass\nelse:": (
        "the lines that put the weights back are not reached when `evaluate` raises", _FINALLY,
        "the head is still silent after the error"),
    "except RuntimeError:\n    drops.append(complete)\nfinally:": (
        "an `except` catches the error of `evaluate`: a score that could not be measured then looks like one", _FINALLY,
        "no error comes through"),
})
task.edit("complete - evaluate()", {
    "evaluate() - complete": (
        "the complete score is subtracted from the score without the head",
        "a drop is a loss: the complete score comes first", "the signs are the wrong way round"),
    "complete - (complete := evaluate())": (
        "each score is subtracted from that of the head before, not from the complete one", _ONE),
    "evaluate()": ("the scores without each head are returned, not the drops", _ONE),
    "(complete - evaluate()) / complete": ("the drops are divided by the complete score", _ONE),
    "abs(complete - evaluate())": (
        "the size of the change is returned: without a head the score may also be higher", _ONE,
        "no number is negative"),
})
task.edit("return drops", {
    "return drops[::-1]": ("the drops come in reverse order", "the first number belongs to the first head of the list"),
    "return sum(drops)": ("one number for all heads is returned", "begin with an empty list, and append"),
    "return torch.tensor(drops)": (
        "a tensor is returned, not a list of numbers", "begin with an empty list, and append"),
})
# fmt: on


def heads_of(model):
    """Name heads of both attentions, one of them twice."""
    return [(model.first, model.first.num_heads - 1), (model.second, 0), (model.first, 0), (model.second, 0)]


def drops(answer, *sizes, **options):
    """Observe the drops, and whether the model is afterwards what it was."""
    model = TwoAttentions(*sizes, **options)
    before = model.state()
    found = answer(heads_of(model), model.score)
    _require_unchanged(model, before, "a model in which nothing is changed")
    return (
        [float(torch.tensor(each)) if type(each) is float else each for each in found] if type(found) is list else found
    )


def _require_unchanged(model, before, expected):
    after = model.state()
    weights = [name for name in before if name != "mode"]
    if any(after[name][0] != before[name][0] for name in weights):
        silent = any(not layer.w_output.weight.any(0).all() for layer in (model.first, model.second))
        seen = "a head is still silent" if silent else "the weights of the model are not what they were, bit for bit"
        raise Finding(seen, expected,
                      "they are not put back, or calculated back: `(w - a) + a` is not always w",
                      "keep a `clone()` of what you overwrite, made before, and copy it back")  # fmt: skip
    if any(after[name][1] != before[name][1] for name in weights):
        raise Finding(
            "a weight was trainable before and is frozen now, or the other way round",
            expected,
            "`requires_grad_()` was called: `torch.no_grad()` around the change is enough",
            "leave it out",
        )
    if after["mode"] != before["mode"]:
        raise Finding("a module is in another mode than before", expected, "`.eval()` or `.train()` was called",
                      "leave it out: the mode is up to `evaluate`")  # fmt: skip


def when_it_fails(answer):
    """Observe the model after an evaluation that fails once a head is silent."""
    model = TwoAttentions()
    before, evaluate = model.state(), failing(model)
    error = None
    try:
        answer(heads_of(model), evaluate)
    except Exception as raised:  # whatever comes through is looked at
        error = raised
    if isinstance(error, Finding) and error.final:
        raise error
    if error is None or FAILS not in str(error):
        seen = "it returned a result" if error is None else f"it raised {type(error).__name__} in its place"
        raise Finding(seen, "the error of `evaluate`, passed on", "an `except` that catches it, or heads that make no "
                      "difference", _FINALLY)  # fmt: skip
    _require_unchanged(model, before, "a model in which nothing is changed, also when `evaluate` raises")
    return True


def refused(index):
    """Observe whether an index is refused before anything is evaluated."""

    def observe(answer):
        model, calls = TwoAttentions(), []
        evaluate = counted(model, calls)
        try:
            answer([(model.first, 0), (model.second, index)], evaluate)
        except ValueError:
            if calls:
                raise Finding("a ValueError, but only after the model was evaluated", "all heads are looked at first",
                              "the test stands inside the loop that measures", "keep the lines that are given above "
                              "your own", True) from None  # fmt: skip
            return True
        raise Finding("it returned a result", "a ValueError", "nothing looks at the index",
                      "keep the lines that are given above your own", True)  # fmt: skip

    return observe


EXPECTED = "a list of Python numbers: for each head the score with all heads minus the score without this one"
task.require(
    "the drop for each head, in the order of the list; every weight is afterwards what it was",
    EXPECTED,
    [Case("an attention of 3 heads, and one of 2", (), drops),
     Case("one head, and heads of width 1", (5, (1, 5)), drops)],
    [Case("as many heads as sentences as words", (9, (3, 3)), drops),
     Case("heads of width 2 and 1", (4, (2, 4)), drops),
     Case("no biases", (), lambda answer: drops(answer, bias=False))],
)  # fmt: skip
task.require(
    "that holds too when `evaluate` raises",
    "the error of `evaluate`, passed on, and a model in which nothing is changed",
    [Case("an `evaluate` that fails once a head is silent", (), when_it_fails, right=True)],
)


def frozen(answer):
    """Observe a model with frozen weights, one attention in training mode."""
    model = TwoAttentions()
    model.first.train()
    for _, parameter in model.parameters():
        parameter.requires_grad_(False)
    before = model.state()
    found = answer(heads_of(model), model.score)
    _require_unchanged(model, before, "a model in which nothing is changed")
    return found


def empty(answer):
    """Observe an empty list of heads."""
    return answer([], TwoAttentions().score)


task.limits(
    "frozen weights, float32, no heads, and wrong input",
    [
        Case("frozen weights, and an attention in training mode", (), frozen),
        Case("float32", (), lambda answer: drops(answer, dtype=torch.float32), within=1e-4),
        Case("no heads", (), empty, right=[]),
        Case("an index as large as num_heads", (), refused(2), right=True),
        Case("an index of -1", (), refused(-1), right=True),
    ],
)
