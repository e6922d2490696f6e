"""The check of ablation, for exercise 12: the drops, the way back, and an evaluation that fails."""

from collections.abc import Callable, Sequence
from typing import NoReturn

import torch
from torch import Tensor, nn

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.inside_models import TwoAttentions
from transformer_course.checks.oracles_inside import right_drops
from transformer_course.checks.reporting import Mistake

Heads = Sequence[tuple[nn.Module, int]]
FAILS = "no memory left"
FINALLY = "`try: ... finally: ...`, or a context manager: what stands in `finally` happens in any case"


def compare_drops(
    subject: Answer, situation: str, model: TwoAttentions, heads: Heads, mistakes: Sequence[Mistake] = ()
) -> None:
    """Compare the drops with the oracle, and require that the model is afterwards what it was."""
    right, before, complete = right_drops(heads, model.score), model.state(), model.score()
    result = subject(situation, list(heads), model.score)
    as_it_was = model.state() == before and model.score() == complete
    if type(result) is not list or len(result) != len(heads) or any(type(each) is not float for each in result):
        inside = f" of {type(result[0]).__name__}" if type(result) is list and result else ""
        subject.fail(
            situation,
            f"it returned {kind(result)}{inside}",
            f"a list of {len(heads)} Python numbers (float), one for each entry of heads, in their order",
            "one number for all, a tensor, or a dictionary is returned, or a head is left out",
            "begin with an empty list, and append one drop in each turn of the loop",
        )
    # float32 scores of about 1 are known to seven digits, and a drop is a difference of two of them.
    known = torch.tensor(result, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)
    if model.x.dtype is not torch.float64:
        known = tuple(each.float() for each in known)
    requirement = "for each head the score with all heads minus the score without this one"
    hint = "take two heads, and do by hand what your loop does: change, score, put back, score again"
    subject.compare(situation, *known, requirement, mistakes, hint)
    if not as_it_was:
        _say_what_changed(subject, f"{situation}, afterwards", before, model.state())


def _say_what_changed(subject: Answer, situation: str, before: dict, after: dict) -> NoReturn:
    copy_back = "keep a `clone()` of what you overwrite, made before, and copy it back"
    weights = [name for name in before if name != "mode"]
    if any(after.get(name, ("",))[0] != before[name][0] for name in weights):
        observed = "the weights of the model are not what they were, bit for bit"
        cause = "they are not put back, or calculated back: `(w - a) + a` and `w * 0.001 * 1000` are not always w"
    elif any(after[name][1] != before[name][1] for name in weights):
        observed, copy_back = "a weight was trainable before and is frozen now, or the other way round", "leave it out"
        cause = "`requires_grad_()` was called: `torch.no_grad()` around the change is enough"
    elif after["mode"] != before["mode"]:
        observed, copy_back = "a module is in another mode than before", "leave it out: the mode is up to `evaluate`"
        cause = "`.eval()` or `.train()` was called"
    else:
        observed, copy_back = (
            "the weights are what they were, but the score is another one",
            "remove the hook in `finally`",
        )
        cause = "a hook that stays"
    subject.fail(situation, observed, "a model in which nothing is changed", cause, copy_back)


def compare_failure(subject: Answer, situation: str, model: TwoAttentions, heads: Heads) -> None:
    """Require that the model is as it was, and the error comes through, when an evaluation fails."""
    before, complete = model.state(), model.score()

    def evaluate() -> float:
        score = model.score()
        if score != complete:
            raise RuntimeError(FAILS)
        return score

    error: Exception | None = None
    try:
        subject.function(list(heads), evaluate)
    except Exception as raised:  # whatever comes through is looked at below
        error = raised
    as_it_was = model.state() == before and model.score() == complete
    if error is None or FAILS not in str(error):
        observed = "it returned a result" if error is None else f"it raised {type(error).__name__} in its place"
        subject.fail(
            situation,
            observed,
            "the error of `evaluate`, passed on",
            "an `except` that catches it: a score that could not be measured then looks like one",
            FINALLY,
        )
    if not as_it_was:
        subject.fail(
            situation,
            "the head is still silent after the error",
            "a model in which nothing is changed, also when `evaluate` raises",
            "the lines that put the weights back are not reached",
            FINALLY,
        )


def refuses_heads(subject: Answer, situation: str, model: TwoAttentions, heads: Heads) -> None:
    """Require a ``ValueError`` before anything is evaluated."""
    calls, before = [], model.state()

    def evaluate() -> float:
        calls.append(1)
        return model.score()

    subject.refuses(situation, list(heads), evaluate)
    if calls or model.state() != before:
        subject.fail(
            situation,
            "a ValueError, but only after the model was evaluated or changed",
            "all heads are looked at before anything else happens",
            "the test stands inside the loop that measures",
            "loop over heads twice: first to test, then to measure",
        )


def check_head_importance(head_importance: Callable, attention: Callable[[int, int], nn.Module]) -> None:
    """Check the drops of two attentions with unlike heads, the way back, and an evaluation that fails.

    Args:
        head_importance: what the learner wrote.
        attention: the class ``MultiHeadAttention``, of which the model is built.
    """
    subject = Answer(head_importance, "head_importance", "inside_attention")
    model = TwoAttentions(attention, seed=31)
    heads = [(model.first, 2), (model.second, 0), (model.first, 0), (model.second, 1), (model.first, 1)]
    situation = "an attention of 3 heads, and one of 2"
    compare_drops(subject, situation, model, heads, drop_mistakes(model, heads))
    subject.passed("the drop for each head, in the order of the list")
    subject.passed("every weight is afterwards what it was")
    compare_failure(subject, "an `evaluate` that fails once a head is silent", model, heads[1:])
    subject.passed("that holds too when `evaluate` raises")


def drop_mistakes(model: TwoAttentions, heads: Sequence[tuple[nn.Module, int]]) -> list[Mistake]:
    """List what goes wrong with ablation."""
    complete, right = model.score(), _numbers(right_drops(heads, model.score))
    silent = complete - right

    def edited(edit: Callable[[nn.Module, slice, int], None], restore: bool = True) -> Tensor:
        before = [each.detach().clone() for _, each in model.parameters()]
        drops = []
        for attention, index in heads:
            columns = slice(index * attention.d_k, (index + 1) * attention.d_k)
            with torch.no_grad():
                edit(attention, columns, index)
            drops.append(complete - model.score())
            if restore:
                _put_back(model, before)
        _put_back(model, before)
        return _numbers(drops)

    def columns_of(attention: nn.Module, columns: slice, index: int) -> None:
        attention.w_output.weight[:, columns] = 0.0

    def others(attention: nn.Module, columns: slice, index: int) -> None:
        kept = attention.w_output.weight[:, columns].clone()
        attention.w_output.weight.zero_()
        attention.w_output.weight[:, columns] = kept

    block = "head i is read by the columns from i * d_k up to (i + 1) * d_k of `w_output.weight`: (outputs, inputs)"
    one = "silence head 0, score, put it back, and compare the score with the one before"
    return [
        Mistake(
            -right, "the signs are the wrong way round", "the score with all heads comes first: a drop is a loss", one
        ),
        Mistake(silent, "the scores without each head", "they are not subtracted from the complete score", one),
        Mistake(right / complete, "shares of the score", "the drops are divided by the complete score", one),
        Mistake(
            right / abs(complete), "shares of the score", "the drops are divided by the size of the complete score", one
        ),
        Mistake(
            right.abs(),
            "no number is negative",
            "the size of the change is returned: without a head the score may also be higher",
            one,
        ),
        Mistake(
            torch.zeros_like(right),
            "no head makes a difference",
            "a copy was changed, which nobody reads. Or (it shows in the same way): the weights were put back before "
            "`evaluate` was called",
            "print the score between the change and the way back",
        ),
        Mistake(
            edited(columns_of, restore=False),
            "the first drop is right, later ones are too large or too small",
            "heads stay silent while the next ones are measured. Or (it shows in the same way): what is put back is a "
            "view of the weight, and was silenced with it",
            "put a `clone()` of the weights back before you go on to the next head",
        ),
        Mistake(
            edited(lambda attention, columns, index: attention.w_output.weight[columns].zero_()),
            "something other than a head is silenced",
            "rows of `w_output.weight` were zeroed: they belong to outputs, into which all heads are mixed",
            block,
        ),
        Mistake(
            edited(lambda attention, columns, index: attention.w_output.weight[:, index].zero_()),
            "too little is silenced",
            "one single column was zeroed: a head has d_k of them",
            block,
        ),
        Mistake(
            edited(
                lambda attention, columns, index: attention.w_output.weight[:, index :: attention.num_heads].zero_()
            ),
            "something other than a head is silenced",
            "every num_heads-th column was zeroed: a head owns columns that lie side by side",
            block,
        ),
        Mistake(
            edited(lambda attention, columns, index: (columns_of(attention, columns, index), _no_bias(attention))),
            "too much is silenced",
            "the bias of w_output was zeroed too: it belongs to no head",
            "leave the bias as it is",
        ),
        Mistake(
            edited(lambda attention, columns, index: attention.w_output.weight.zero_()),
            "all heads of an attention have the same drop",
            "all of w_output was zeroed",
            block,
        ),
        Mistake(
            edited(others), "the other heads are silenced", "what should stay was zeroed, and the head kept", block
        ),
        Mistake(
            edited(lambda attention, columns, index: attention.w_value.weight[columns].zero_()),
            "the head still says something",
            "the bias of w_value still passes: the weights of a row sum to 1, so that every query gets it",
            "silence the head where it is read, in `w_output.weight`",
        ),
        Mistake(
            edited(lambda attention, columns, index: _zero_query(attention, columns)),
            "the head still says something",
            "queries of 0 make the map of a head even, they do not silence it",
            "silence the head where it is read, in `w_output.weight`",
        ),
    ]


def _numbers(values: Sequence[float]) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _put_back(model: TwoAttentions, before: Sequence[Tensor]) -> None:
    with torch.no_grad():
        for (_, parameter), value in zip(model.parameters(), before, strict=True):
            parameter.copy_(value)


def _no_bias(attention: nn.Module) -> None:
    attention.w_output.bias.zero_()


def _zero_query(attention: nn.Module, columns: slice) -> None:
    attention.w_query.weight[columns].zero_()
    attention.w_query.bias[columns].zero_()
