"""Sublayers that are wired wrongly: the rule around them, their order, and what each of them reads."""

from collections.abc import Sequence

import torch
from torch import Tensor

from transformer_course.checks.oracles_blocks import Rule, post_norm, pre_norm, right_rule, run
from transformer_course.checks.reporting import Mistake

SILENT = (
    "set every weight and bias of w_output and linear_2 to zero, so that the sublayers say nothing: what must the "
    "block return, in this order of the norms?"
)
PARTS = "write down for each sublayer, in this order: what does it read, what is added, what is normalised?"
NAMES = {"self_attention": "self-attention", "cross_attention": "cross-attention", "feed_forward": "the feed-forward"}


def wiring_mistakes(x: Tensor, steps: Sequence, names: Sequence[str], norm_first: bool) -> list[Mistake]:
    """List what a block returns whose sublayers are right, and joined in the wrong way.

    Args:
        x: what goes in.
        steps: the sublayers in their order, each with its norm.
        names: what they are called.
        norm_first: whether each norm stands before its sublayer.
    """
    mistakes = _with_rules(x, steps, names, norm_first) + _with_steps(x, steps, names, norm_first)
    return mistakes + _with_paths(x, steps, names, norm_first)


def _wrong_rules(norm_first: bool) -> list[tuple[Rule, str, str]]:
    """List other ways to put a sublayer, its norm and the residual together: the way, what is seen, the cause."""
    rules = [
        (lambda x, f, norm: x + norm(f(x)), "the sum is not normalised, and what is added is",
         "what the sublayer says is normalised before it is added: `x + norm(sublayer(x))`"),
        (lambda x, f, norm: x + f(x), "nothing is normalised", "the norm is not used"),
        (lambda x, f, norm: norm(x + f(norm(x))), "the norm acts twice",
         "the norm stands before the sublayer and behind the sum; each order has one of the two"),
    ]  # fmt: skip
    if norm_first:
        return rules + [
            (post_norm, "it is the order of norm_first=False", "norm_first is not used, or the wrong way round"),
            (lambda x, f, norm: f(norm(x)), "x itself does not come through", "the residual connection is missing"),
            (lambda x, f, norm: norm(x) + f(norm(x)), "x comes through normalised",
             "the residual starts from the normalised x: a name is used again, as in `x = norm(x)`"),
            (lambda x, f, norm: norm(x) + f(x), "x comes through normalised, and the sublayer reads it as it is",
             "the norm is on the wrong one of the two paths"),
        ]  # fmt: skip
    return rules + [
        (pre_norm, "it is the order of norm_first=True", "norm_first is not used, or the wrong way round"),
        (lambda x, f, norm: norm(f(x)), "x itself does not come through", "the residual connection is missing"),
        (lambda x, f, norm: norm(x) + f(norm(x)), "x is normalised before it is added", "the norm comes too early"),
        (lambda x, f, norm: norm(x) + f(x), "x is normalised, and the sum is not", "the norm is on x alone"),
        (lambda x, f, norm: x + norm(x + f(x)), "x is there twice", "x is added to the normalised sum once more"),
    ]  # fmt: skip


def _with_rules(x: Tensor, steps: Sequence, names: Sequence[str], norm_first: bool) -> list[Mistake]:
    """Apply each of the wrong ways to all sublayers, and to each of them alone."""
    right, mistakes = right_rule(norm_first), []
    for rule, observed, cause in _wrong_rules(norm_first):
        for place in range(-1, len(steps)):
            rules = [rule if place in (-1, each) else right for each in range(len(steps))]
            where = "around every sublayer" if place < 0 else f"around {NAMES[names[place]]}"
            mistakes.append(Mistake(run(x, steps, rules), f"{observed}, {where}", cause, SILENT))
    return mistakes


def _with_steps(x: Tensor, steps: Sequence, names: Sequence[str], norm_first: bool) -> list[Mistake]:
    """Leave a sublayer out, exchange two, exchange their norms, or let two share one."""
    count, rule, mistakes = len(steps), right_rule(norm_first), []
    for place, name in enumerate(names):
        rest = [step for each, step in enumerate(steps) if each != place]
        say = f"{NAMES[name]} has no effect"
        mistakes.append(Mistake(run(x, rest, [rule] * (count - 1)), say, f"{name} and its norm are not used", PARTS))
        silent = [(torch.zeros_like if each == place else f, norm) for each, (f, norm) in enumerate(steps)]
        cause = f"{name} is not called, or its result is not added"
        mistakes.append(Mistake(run(x, silent, [rule] * count), say, cause, PARTS))
    for one in range(count):
        for other in range(one + 1, count):
            order = list(range(count))
            order[one], order[other] = other, one
            pair = f"{NAMES[names[one]]} and {NAMES[names[other]]}"
            moved = [steps[each] for each in order]
            only_sublayers = [(steps[each][0], norm) for each, (_, norm) in zip(order, steps, strict=True)]
            only_norms = [(f, steps[each][1]) for each, (f, _) in zip(order, steps, strict=True)]
            cause, say = f"{pair} come in each other's place", "the sublayers come in another order"
            for each in (moved, only_sublayers):
                mistakes.append(Mistake(run(x, each, [rule] * count), say, cause, PARTS))
            say = "a norm has the gain and the shift of another one"
            cause = f"the norms of {pair} are exchanged"
            mistakes.append(Mistake(run(x, only_norms, [rule] * count), say, cause, PARTS))
            for kept, replaced in ((one, other), (other, one)):
                shared = [(f, steps[kept][1] if each == replaced else norm) for each, (f, norm) in enumerate(steps)]
                cause = f"one norm serves {pair}; each sublayer has its own"
                mistakes.append(Mistake(run(x, shared, [rule] * count), say, cause, PARTS))
    return mistakes


def _with_paths(x: Tensor, steps: Sequence, names: Sequence[str], norm_first: bool) -> list[Mistake]:
    """Take the residual, or what a sublayer reads, from the wrong place."""
    start, from_start, beside = x, x, x
    for sublayer, norm in steps:
        said = sublayer(norm(from_start)) if norm_first else sublayer(from_start)
        from_start = start + said if norm_first else norm(start + said)
        beside = beside + sublayer(norm(start) if norm_first else start)
    say = "what the first sublayer has added is lost"
    cause = "every residual starts from the input of the block, not from what the sublayer before it has made"
    mistakes = [
        Mistake(from_start, say, cause, PARTS),
        Mistake(beside, "the sublayers do not read each other's results", "all of them read the input", PARTS),
    ]
    mistakes += _with_stale_inputs(x, steps, names, norm_first)
    if norm_first:
        say, cause = "the result is normalised", "a norm behind the last sum; in this order it belongs to the model"
        result = run(x, steps, [pre_norm] * len(steps))
        mistakes.append(Mistake(steps[-1][1](result), say, cause, SILENT))
    return mistakes


def _with_stale_inputs(x: Tensor, steps: Sequence, names: Sequence[str], norm_first: bool) -> list[Mistake]:
    """Let a sublayer read what an earlier one has read, although x has changed since."""
    states = [x]
    for sublayer, norm in steps:
        states.append(right_rule(norm_first)(states[-1], sublayer, norm))
    if norm_first:
        cause = "a normalised x is used again after x has changed, as it is or through another norm"
        hint = "normalise x anew for each sublayer: after each sum, which names still hold an x from before it?"
    else:
        cause = "an earlier x is used again after x has changed"
        hint = "after each norm, which names still hold an x from before it?"
    mistakes = []
    for place in range(1, len(steps)):
        for earlier in range(place):
            before = states[earlier]
            if norm_first:
                once, anew = (steps[each][1](before) for each in (earlier, place))
                reads = [once, anew, steps[place][1](once)]
            else:
                reads = [before]
            for read in reads:
                stale = (lambda _, f=steps[place][0], read=read: f(read), steps[place][1])
                result = run(
                    states[place], [stale, *steps[place + 1 :]], [right_rule(norm_first)] * (len(steps) - place)
                )
                mistakes.append(Mistake(result, f"{NAMES[names[place]]} reads an x of before", cause, hint))
    if len(steps) > 2:  # of two, this is the same as the second alone
        first = steps[0][1](x) if norm_first else x
        frozen = [(lambda _, f=f: f(first), norm) for f, norm in steps]
        result = run(x, frozen, [right_rule(norm_first)] * len(steps))
        mistakes.append(Mistake(result, "every sublayer reads what the first one has read", cause, hint))
    return mistakes
