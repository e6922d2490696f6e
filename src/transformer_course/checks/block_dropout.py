"""Checks of where dropout falls in a feed-forward network and in a block, whatever the seed."""

from collections.abc import Callable
from itertools import combinations, product

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.block_makers import make_block, make_feed_forward
from transformer_course.checks.oracles_blocks import (
    attend,
    normalise,
    right_decoder,
    right_encoder,
    right_feed_forward,
    right_rule,
    run,
    think,
)
from transformer_course.checks.reporting import Mistake, draw, same

# How many standard deviations a count may lie beside its mean: one right answer in ten billion fails.
SPREADS = 6.5
NOWHERE_ELSE = "in training mode some numbers are set to zero, the others divided by 1 - dropout, where the task says"
READS = "dropout falls on what the sublayer reads"
INSIDE = "nn.Dropout in __init__, and a call of it in forward: what stands inside its brackets?"


def _require_share(built: Answer, situation: str, dropped: Tensor, probability: float, what: str) -> None:
    """Require that as many numbers are dropped as chance allows, and not always a whole row of them."""
    whole = dropped.all(-1)
    if whole.any() and not whole.all() and not (dropped.any(-1) & ~whole).any():  # few words: their share says little
        cause = "whole words are dropped, not single numbers"
        built.fail(situation, f"{what} of one word are all zero or all there", NOWHERE_ELSE, cause, "use nn.Dropout")
    count, spread = dropped.numel(), (dropped.numel() * probability * (1 - probability)) ** 0.5
    if abs(int(dropped.sum()) - count * probability) > SPREADS * spread:
        cause = "dropout has another probability (nn.Dropout takes the one to drop, not to keep)"
        built.fail(situation, f"{int(dropped.sum())} of {count} {what} are zero", NOWHERE_ELSE, cause, INSIDE)


def _set(built: Answer, **values: Tensor | float) -> None:
    """Set parameters by name (with two underscores for a dot)."""
    parameters = dict(built.function.named_parameters())
    with torch.no_grad():
        for name, value in values.items():
            parameter = parameters[name.replace("__", ".")]
            parameter.copy_(torch.as_tensor(value, dtype=parameter.dtype).expand(parameter.shape))


def _weights(built: Answer) -> dict[str, Tensor]:
    return {name: parameter.detach().clone() for name, parameter in built.function.named_parameters()}


def require_feed_forward_dropout(feed_forward_class: Callable, probability: float) -> None:
    """Require that in training activations are set to zero, and in evaluation none.

    Args:
        feed_forward_class: the learner's class.
        probability: the dropout that is tried.
    """
    d_model, d_ff, keep = 40, 25, 1 - probability
    situation = f"dropout = {probability}"
    built, _ = make_feed_forward(
        feed_forward_class, situation, d_model, d_ff, seed=25, dropout=probability, activation="gelu"
    )
    # Behind an identity and a shift by 1 every activation shows.
    widen = 0.15 * draw(d_ff, d_model, seed=27, dtype=torch.float64)
    _set(built, linear_1__weight=widen, linear_2__weight=torch.eye(d_model, d_ff), linear_2__bias=1.0)
    weights, x = _weights(built), draw(12, 5, d_model, seed=26, dtype=torch.float64)
    right = right_feed_forward(weights, x, "gelu")
    _evaluate(built, f"{situation}, evaluation mode", right, x)
    where = f"{situation}, training mode"
    built.function.train()
    result = built.tensor(where, x, like=right)
    if same(result, right):
        built.fail(where, "nothing is dropped", NOWHERE_ELSE, "dropout is not used", INSIDE)
    if not same(result[..., d_ff:], torch.ones_like(result[..., d_ff:])):
        cause = "dropout stands behind linear_2, and drops the sums of what many activations say"
        built.fail(where, "numbers behind linear_2 are dropped", NOWHERE_ELSE, cause, INSIDE)
    seen, activations = result[..., :d_ff] - 1, right[..., :d_ff] - 1
    dropped = seen.abs() < 1e-12
    if not same(seen, torch.where(dropped, 0.0, activations / keep)):
        ratio = (seen / activations)[~dropped]
        if len(ratio) and same(ratio, ratio[:1].expand_as(ratio)):
            cause = (
                "dropout has another probability (nn.Dropout takes the one to drop). Or (it shows in the same way): "
            )
            observed = "what is left is not divided by 1 - dropout"
            built.fail(where, observed, NOWHERE_ELSE, cause + "it works twice", INSIDE)
        early = "dropout stands before the activation. Or (it shows in the same way): it falls on x"
        built.fail(where, "the numbers behind the activation are not 0 or divided", NOWHERE_ELSE, early, INSIDE)
    _require_share(built, where, dropped, probability, "activations")


def _evaluate(built: Answer, situation: str, right: Tensor, *inputs: Tensor) -> None:
    built.function.eval()
    result = built.tensor(situation, *inputs, like=right)
    cause = "dropout works in every mode: `F.dropout` without its argument `training`, or a mask made by hand"
    hint = "use nn.Dropout, which knows the mode of the module"
    drops = Mistake(lambda _: True, "another result than without dropout", cause, hint)
    built.compare(situation, result, right, "nothing is dropped in evaluation mode", [drops])


def require_block_dropout(block_class: Callable, name: str, probability: float) -> None:
    """Require dropout on what each sublayer adds, and inside the feed-forward network.

    Args:
        block_class: the learner's class.
        name: ``"EncoderBlock"`` or ``"DecoderBlock"``.
        probability: the dropout that is tried, beside dropout 1.
    """
    for norm_first in (False, True):
        _drop_everything(block_class, name, norm_first)
    _count_what_is_added(block_class, name, probability)
    for attention in _attentions(name):
        _listen(block_class, name, probability, attention)
    _look_inside(block_class, name, probability)


def _attentions(name: str) -> list[str]:
    return ["self_attention", "cross_attention"] if name == "DecoderBlock" else ["self_attention"]


def _inputs(name: str, d_model: int, batch: int, length: int) -> list[Tensor]:
    x = draw(batch, length, d_model, seed=61, dtype=torch.float64)
    memory = draw(batch, length + 2, d_model, seed=62, dtype=torch.float64)
    return [x, memory] if name == "DecoderBlock" else [x]


def _drop_everything(block_class: Callable, name: str, norm_first: bool) -> None:
    """With dropout = 1 no sublayer adds anything: no chance is involved."""
    situation = f"dropout = 1, norm_first={norm_first}, training mode"
    built, weights = make_block(block_class, name, situation, (12, 3, 17), seed=63, dropout=1.0, norm_first=norm_first)
    inputs = _inputs(name, 12, 2, 5)
    x, memory = inputs[0], inputs[-1] if len(inputs) == 2 else None
    loud = [attend(weights, each, 3, memory if each == "cross_attention" else None) for each in _attentions(name)]
    constant = weights["feed_forward.linear_2.bias"]  # all that is left of it, when dropout falls on its activations
    names, rule = [*_attentions(name), "feed_forward"], right_rule(norm_first)
    norms = [normalise(weights, f"norm_{number}") for number in range(1, len(names) + 1)]

    def compute(speaking: tuple[str, ...], last: Callable, loud: list[Callable] = loud) -> Tensor:
        sublayers = [
            (last if each == "feed_forward" else loud[place]) if each in speaking else torch.zeros_like
            for place, each in enumerate(names)
        ]
        return run(x, list(zip(sublayers, norms, strict=True)), [rule] * len(names))

    right = compute((), torch.zeros_like)
    mistakes = []
    for size in range(1, len(names) + 1):
        for speaking in combinations(names, size):
            thoughts = [lambda x: constant.expand_as(x), think(weights)]
            for last in thoughts if "feed_forward" in speaking else thoughts[:1]:
                cause = f"dropout is missing on what is added by {' and by '.join(speaking)}"
                if speaking == tuple(names):
                    cause += ". Or (it shows in the same way): it is given the probability to keep"
                mistakes.append(Mistake(compute(speaking, last), "a sublayer still adds something", cause, INSIDE))
            cause = f"{READS}, and not on what it says: {' and '.join(speaking)}"
            for deaf in _deaf(loud, norms, norm_first):
                result = compute(speaking, thoughts[0], deaf)
                mistakes.append(Mistake(result, "a sublayer still adds something", cause, INSIDE))
    mistakes += [
        Mistake(torch.zeros_like(x), "everything is zero", "dropout falls on the sum, with x in it, or on the norm's "
                "result; it falls on what a sublayer says, before x is added", INSIDE),
        Mistake(weights[f"norm_{len(names)}.bias"].expand_as(x), "nothing is left of x", "dropout falls on the sum, "
                "with x in it; it falls on what a sublayer says, before x is added", INSIDE),
    ]  # fmt: skip
    built.function.train()
    result = built.tensor(situation, *inputs, like=right)
    built.compare(situation, result, right, "no sublayer adds anything, and x comes through", mistakes, INSIDE)


def _deaf(loud: list[Callable], norms: list[Callable], norm_first: bool) -> list[list[Callable]]:
    """Make the attentions that read zeros; or, where dropout stands before the norm, what the norm makes of zeros."""
    zeros = [lambda x, f=f: f(torch.zeros_like(x)) for f in loud]
    if not norm_first:
        return [zeros]
    return [
        zeros,
        [lambda x, f=f, norm=norm: f(norm(torch.zeros_like(x))) for f, norm in zip(loud, norms, strict=False)],
    ]


def _count_what_is_added(block_class: Callable, name: str, probability: float) -> None:
    """With sublayers that say a constant each, see for every number which of them were dropped."""
    situation, keep = f"dropout = {probability}, norm_first=True", 1 - probability
    built, _ = make_block(block_class, name, situation, (12, 3, 17), seed=64, dropout=probability, norm_first=True)
    last = [f"{each}.w_output" for each in _attentions(name)] + ["feed_forward.linear_2"]
    _set(built, **{f"{each}.weight".replace(".", "__"): 0.0 for each in last})
    weights, inputs = _weights(built), _inputs(name, 12, 6, 20)
    said = torch.stack([weights[f"{each}.bias"] for each in last])  # (sublayers, d_model)
    _evaluate(built, f"{situation}, evaluation mode", inputs[0] + said.sum(0), *inputs)
    where = f"{situation}, training mode"
    built.function.train()
    result = built.tensor(where, *inputs, like=inputs[0])
    kept = torch.tensor(list(product([0.0, 1.0], repeat=len(last))), dtype=said.dtype)  # (choices, sublayers)
    distance, choice = ((result - inputs[0]).unsqueeze(-2) - kept @ said / keep).abs().min(-2)  # for every number
    if distance.max() > 1e-9:
        cause = "dropout falls on something else than what each sublayer adds, works twice, or has another probability"
        built.fail(where, "a sum of numbers that are neither 0 nor divided by 1 - dropout", NOWHERE_ELSE, cause, INSIDE)
    for place, each in enumerate(last):
        _require_share(built, where, kept[choice][..., place] == 0, probability, f"numbers that {each} says")


def _listen(block_class: Callable, name: str, probability: float, attention: str) -> None:
    """With everything else silent, see that what an attention says is dropped or divided, and nothing that it reads."""
    where, keep = f"dropout = {probability}, norm_first=True, only {attention} says something", 1 - probability
    built, _ = make_block(block_class, name, where, (12, 3, 17), seed=66, dropout=probability, norm_first=True)
    last = [f"{each}.w_output" for each in _attentions(name) if each != attention] + ["feed_forward.linear_2"]
    _set(built, **{f"{each}.{part}".replace(".", "__"): 0.0 for each in last for part in ("weight", "bias")})
    weights, inputs = _weights(built), _inputs(name, 12, 6, 20)
    oracle = right_decoder if name == "DecoderBlock" else right_encoder
    said = oracle(weights, 3, *inputs, norm_first=True) - inputs[0]
    built.function.train()
    seen = built.tensor(where, *inputs, like=inputs[0]) - inputs[0]
    if not same(seen, torch.where(seen.abs() < 1e-12, 0.0, said / keep)):
        observed = f"what {attention} says is not 0 or divided by 1 - dropout"
        cause = f"{READS} as well as on what it says"
        if attention == "cross_attention":
            cause += ". Or (it shows in the same way): on the memory"
        built.fail(where, observed, NOWHERE_ELSE, cause, INSIDE)


def _look_inside(block_class: Callable, name: str, probability: float) -> None:
    """With silent attentions and an identity for linear_2, see the activations, dropped twice."""
    where, keep = f"dropout = {probability}, norm_first=True, training mode", 1 - probability
    options = {"dropout": probability, "norm_first": True, "activation": "gelu"}
    built, _ = make_block(block_class, name, where, (12, 3, 17), seed=65, **options)
    silent = {f"{each}__w_output__{part}": 0.0 for each in _attentions(name) for part in ("weight", "bias")}
    _set(built, **silent, feed_forward__linear_2__weight=torch.eye(12, 17), feed_forward__linear_2__bias=0.0)
    weights, inputs = _weights(built), _inputs(name, 12, 6, 20)
    oracle = right_decoder if name == "DecoderBlock" else right_encoder
    activations = oracle(weights, 3, *inputs, norm_first=True, activation="gelu") - inputs[0]
    built.function.train()
    seen = built.tensor(where, *inputs, like=inputs[0]) - inputs[0]
    dropped = seen.abs() < 1e-12
    if same(seen, torch.where(dropped, 0.0, activations / keep)):
        cause = "dropout is not handed on to the feed-forward network. Or (it shows in the same way): FeedForward does "
        cause += "not drop its activations, see its own check first"
        hint = "FeedForward has an argument dropout as well"
        built.fail(where, "the activations inside the feed-forward are never dropped", NOWHERE_ELSE, cause, hint)
    if not same(seen, torch.where(dropped, 0.0, activations / keep**2)):
        cause = f"{READS}. Or (it shows in the same way): on something else than the activations and what is added"
        built.fail(where, "the activations are not 0 or divided twice", NOWHERE_ELSE, cause, INSIDE)
    _require_share(built, where, dropped, 1 - keep**2, "numbers that the feed-forward adds")
