"""Task `head_importance` of exercise 12: the drops, the way back, and an evaluation that fails."""

import torch

from course_checks.cases import Case
from course_checks.inside_attention.inputs import UNIT
from course_checks.inside_attention.models import FAILS, TwoAttentions, counted, failing
from course_checks.task import Task
from course_checks.words import Finding, Wrong

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


@task.pipeline(
    silenced={
        "rows": Wrong("rows of `w_output.weight` are zeroed: they belong to outputs, into which all heads are mixed",
                      "something other than a head is silenced", _BLOCK),
        "one column": Wrong("one single column is zeroed: a head has d_k of them", "too little is silenced", _BLOCK),
        "interleaved": Wrong("every num_heads-th column is zeroed: a head owns columns that lie side by side",
                             "something other than a head is silenced", _BLOCK),
        "bias too": Wrong("the bias of w_output is zeroed too: it belongs to no head", "too much is silenced",
                          "leave the bias as it is"),
        "all": Wrong("all of w_output is zeroed", "all heads of an attention have the same drop", _BLOCK),
        "others": Wrong("what should stay is zeroed, and the head kept", "the other heads are silenced", _BLOCK),
        "value": Wrong("the weight of w_value is zeroed: its bias still passes, since the weights of a row sum to 1",
                       "the head still says something", "silence the head where it is read, in `w_output.weight`"),
        "query": Wrong("the queries are zeroed: the map of the head becomes even, it is not silenced",
                       "the head still says something", "silence the head where it is read, in `w_output.weight`"),
    },
    back={
        "never": Wrong("heads stay silent while the next ones are measured: nothing is put back, or a view that was "
                       "silenced with the weight", "the first drop is right, later ones are not",
                       "put a `clone()` of the weights back before you go on to the next head"),
        "too soon": Wrong("the weights are put back before `evaluate` is called, or a copy is changed",
                          "no head makes a difference", "print the score between the change and the way back"),
        "added": Wrong("the weights are calculated back, by a sum or a product: `(w - a) + a` is not always w",
                       "the weights are not what they were, bit for bit", "copy a `clone()` back"),
        "not when it fails": Wrong("the lines that put the weights back are not reached when `evaluate` raises",
                                   "the head is still silent after the error", _FINALLY),
    },
    drop={
        "sign": Wrong("the complete score is subtracted from the score without the head",
                      "the signs are the wrong way round", "a drop is a loss: the complete score comes first"),
        "scores": Wrong("the scores without each head are returned, not the drops", "", _ONE),
        "share": Wrong("the drops are divided by the complete score", "", _ONE),
        "absolute": Wrong("the size of the change is returned: without a head the score may also be higher",
                          "no number is negative", _ONE),
    },
    result={
        "sum": Wrong("one number for all heads is returned", "", "begin with an empty list, and append"),
        "tensor": Wrong("a tensor is returned, not a list of numbers", "", "begin with an empty list, and append"),
        "swallowed": Wrong("an `except` catches the error of `evaluate`: a score that could not be measured then looks "
                           "like one", "no error comes through", _FINALLY),
        "eval": Wrong("`.eval()` or `.train()` is called", "a module is in another mode than before",
                      "leave it out: the mode is up to `evaluate`"),
        "frozen": Wrong("`requires_grad_(False)` is called, which stays", "a weight is frozen afterwards",
                        "`torch.no_grad()` around the change is enough"),
    },
)  # fmt: skip
def head_importance(heads, evaluate, *, silenced="block", back="cloned", drop="drop", result="list"):
    """Measure with one choice for each step."""
    complete, drops, kept = evaluate(), [], []
    for attention, index in heads:
        if result == "eval":
            attention.train()
        if result == "frozen":
            attention.w_output.weight.requires_grad_(False)
        before = [each.detach().clone() for each in attention.parameters()]
        own = slice(index * attention.d_k, (index + 1) * attention.d_k)
        weight = attention.w_output.weight
        with torch.no_grad():
            change(attention, weight, own, index, silenced)
            if back == "too soon":
                put_back(attention, before)
        score = None
        try:
            score = evaluate()
        except RuntimeError:
            if result != "swallowed":
                raise
            score = 0.0
        finally:
            if back != "never" and (back != "not when it fails" or score is not None):
                put_back(attention, before, back == "added")
        kept.append((attention, before))
        drops.append({"sign": score - complete, "scores": score, "share": (complete - score) / complete,
                      "absolute": abs(complete - score)}.get(drop, complete - score))  # fmt: skip
    if back == "never":
        for attention, before in reversed(kept):
            put_back(attention, before)
    return sum(drops) if result == "sum" else torch.tensor(drops) if result == "tensor" else drops


def change(attention, weight, own, index, silenced):
    """Silence something."""
    if silenced == "value":
        attention.w_value.weight[own] = 0.0
    elif silenced == "query":
        attention.w_query.weight[own] = 0.0
        attention.w_query.bias[own] = 0.0
    elif silenced == "rows":
        weight[own] = 0.0
    elif silenced == "one column":
        weight[:, index] = 0.0
    elif silenced == "interleaved":
        weight[:, index :: attention.num_heads] = 0.0
    elif silenced == "others":
        head = weight[:, own].clone()
        weight.zero_()
        weight[:, own] = head
    elif silenced == "all":
        weight.zero_()
    else:
        weight[:, own] = 0.0
        if silenced == "bias too":
            attention.w_output.bias.zero_()


def put_back(attention, before, added=False):
    """Copy the weights back, or calculate them back."""
    with torch.no_grad():
        for parameter, value in zip(attention.parameters(), before, strict=True):
            parameter.copy_((value + 0.1) - 0.1 if added else value)


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
        raise Finding("the weights of the model are not what they were, bit for bit", expected,
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
