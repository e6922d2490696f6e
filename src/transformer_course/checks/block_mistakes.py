"""The mistakes with norms and blocks that we know, each with what it returns and how to tell the learner."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from transformer_course.checks.modules import WrongParameters
from transformer_course.checks.oracles_blocks import (
    Rule,
    Sublayer,
    attend,
    normalise,
    part,
    post_norm,
    pre_norm,
    right_rule,
    run,
    think,
)
from transformer_course.checks.oracles_heads import right_multi_head
from transformer_course.checks.reporting import Mistake

SILENT = (
    "set every weight and bias of w_output and linear_2 to zero, so that the sublayers say nothing: what must the "
    "block return, in this order of the norms?"
)
MEMORY_ASKS = (
    "query and memory are exchanged: the target asks. In cross_attention the query comes from the memory, key and "
    "value from the target"
)
PARTS = "write down for each sublayer, in this order: what does it read, what is added, what is normalised?"
NAMES = {"self_attention": "self-attention", "cross_attention": "cross-attention", "feed_forward": "the feed-forward"}
ENCODER = (("self_attention", "norm_1"), ("feed_forward", "norm_2"))
DECODER = (("self_attention", "norm_1"), ("cross_attention", "norm_2"), ("feed_forward", "norm_3"))


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


def _steps(weights: dict, layout: Sequence, sublayers: dict[str, Sublayer]) -> tuple[list, list[str]]:
    return [(sublayers[name], normalise(weights, norm)) for name, norm in layout], [name for name, _ in layout]


def _masks(mask: Tensor | None, name: str) -> list[tuple[Tensor | None, str, str, str]]:
    """List what may be handed on in the place of a mask."""
    if mask is None:
        return []
    hint = f"hand {name} on as it is"
    turned = f"{name} is turned round: here True means `may be attended to`"
    return [
        (None, "positions that should be hidden are seen", f"{name} is not handed on to the attention", hint),
        (~mask, "exactly the positions that should be hidden are seen", turned, hint),
    ]


def _partly_normalised(weights: dict, num_heads: int, x: Tensor, mask: Tensor | None, steps: Sequence) -> Mistake:
    """Let the pre-norm self-attention compare normalised queries with keys and values as they are."""

    def rule(x: Tensor, f: Sublayer, norm: Sublayer) -> Tensor:
        return x + right_multi_head(part(weights, "self_attention"), num_heads, norm(x), x, x, mask)[0]

    say, cause = "the queries are normalised, keys and values are not", "`norm(x)` is computed for the query alone"
    result = run(x, steps, [rule] + [pre_norm] * (len(steps) - 1))
    return Mistake(result, say, cause, "give the normalised x to all three")


def encoder_mistakes(
    weights: dict, num_heads: int, x: Tensor, mask: Tensor | None, norm_first: bool, activation: str
) -> list[Mistake]:
    """List what wrong blocks of the encoder return."""

    def prepare(mask=mask, activation=activation):
        own = {
            "self_attention": attend(weights, "self_attention", num_heads, None, mask),
            "feed_forward": think(weights, activation),
        }
        return _steps(weights, ENCODER, own)

    steps, names = prepare()
    rule = right_rule(norm_first)
    mistakes = _with_rules(x, steps, names, norm_first) + _with_steps(x, steps, names, norm_first)
    mistakes += _with_paths(x, steps, names, norm_first) + _other_activation(
        lambda other: run(x, prepare(activation=other)[0], [rule] * 2), activation
    )
    mistakes += [
        Mistake(run(x, prepare(mask=other)[0], [rule] * 2), *words) for other, *words in _masks(mask, "the mask")
    ]
    if norm_first:
        mistakes.append(_partly_normalised(weights, num_heads, x, mask, steps))
    return mistakes


def decoder_mistakes(
    weights: dict,
    num_heads: int,
    x: Tensor,
    memory: Tensor,
    self_mask: Tensor | None,
    memory_mask: Tensor | None,
    norm_first: bool,
    activation: str,
) -> list[Mistake]:
    """List what wrong blocks of the decoder return."""

    def prepare(
        self_mask=self_mask, memory_mask=memory_mask, activation=activation, memory=memory, names=tuple(NAMES)[:2]
    ):
        own = {
            "self_attention": attend(weights, names[0], num_heads, None, self_mask),
            "cross_attention": attend(weights, names[1], num_heads, memory, memory_mask),
            "feed_forward": think(weights, activation),
        }
        return _steps(weights, DECODER, own)

    steps, names = prepare()
    rules = [right_rule(norm_first)] * 3

    def other(**changed):
        return run(x, prepare(**changed)[0], rules)

    mistakes = _with_rules(x, steps, names, norm_first) + _with_steps(x, steps, names, norm_first)
    mistakes += _with_paths(x, steps, names, norm_first) + _other_activation(
        lambda each: other(activation=each), activation
    )
    mistakes += [Mistake(other(self_mask=each), *words) for each, *words in _masks(self_mask, "self_mask")]
    mistakes += [Mistake(other(memory_mask=each), *words) for each, *words in _masks(memory_mask, "memory_mask")]
    twice, called_twice = ("self_attention",) * 2, "self_attention is called twice; `cross_attention` is never called"
    for read, answers in ((memory, memory_mask), (None, self_mask), (None, None)):
        mistakes.append(
            Mistake(
                other(names=twice, memory=read, memory_mask=answers),
                "cross-attention has the weights of self-attention",
                called_twice,
                "look at the line of the second sublayer: which attention does it call?",
            )
        )
    if memory.shape == x.shape and memory_mask is None:
        exchanged = _steps(
            weights,
            DECODER,
            {name: f for name, (f, _) in zip(names, steps, strict=True)}
            | {
                "cross_attention": lambda x: right_multi_head(
                    part(weights, "cross_attention"), num_heads, memory, x, x
                )[0]
            },
        )[0]
        mistakes.append(
            Mistake(
                run(x, exchanged, rules),
                "a result in which the memory asks",
                MEMORY_ASKS,
                "which of the two is the query, and how many words does the result have then?",
            )
        )
    mistakes += [
        Mistake(
            other(names=tuple(NAMES)[1::-1]),
            "the two attentions have each other's weights",
            "self_attention reads the memory, and cross_attention the target",
            "which of the two was made to look into the source?",
        ),
        Mistake(
            other(memory=normalise(weights, "norm_2")(memory)),
            "the memory is normalised a second time",
            "norm_2 acts on the memory too; in this order it acts on what the decoder's own sublayers read",
            "the memory comes finished from the encoder: hand it on as it is",
        ),
    ]
    if norm_first:
        mistakes.append(_partly_normalised(weights, num_heads, x, self_mask, steps))
    if self_mask is None:
        causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        say, cause = "nobody sees what comes later, although there is no mask", "the block makes a causal mask itself"
        mistakes.append(Mistake(other(self_mask=causal), say, cause, "who calls the block decides on its masks"))
    if memory_mask is None or memory_mask.shape[-1] == 1:
        say, cause = "the result does not depend on the memory", "cross_attention reads x in the place of the memory"
        hint = "the query comes from the target, key and value from the memory"
        mistakes.append(Mistake(other(memory=None, memory_mask=None), say, cause, hint))
    return mistakes


def _other_activation(compute: Callable[[str], Tensor], activation: str) -> list[Mistake]:
    other = "gelu" if activation == "relu" else "relu"
    cause = "activation is not handed on to the feed-forward network"
    return [Mistake(compute(other), f"it is the result of {other}", cause, "see the order of FeedForward's arguments")]


def wrong_block_parameters(norms: int) -> list[WrongParameters]:
    """List the known ways to have other parameters than those of a block."""

    def owners(found):
        return {name.split(".")[0] for name in found}

    wanted = {f"norm_{number}" for number in range(1, norms + 1)}
    return [
        WrongParameters(
            lambda found: any(
                name.endswith(".w_query.weight") and name.replace("weight", "bias") not in found for name in found
            ),
            "an extra argument was passed to MultiHeadAttention: its third one is `bias`",
            "give it d_model and num_heads alone",
        ),
        WrongParameters(
            lambda found: "norm_1" in owners(found) and not wanted <= owners(found),
            "one LayerNorm serves several sublayers, or one is missing; each sublayer has a norm of its own",
            "make each of them: `self.norm_1 = LayerNorm(d_model)`, and so on",
        ),
        WrongParameters(
            lambda found: norms == 3 and "self_attention" in owners(found) and "cross_attention" not in owners(found),
            "one attention has two names; the two of a decoder have weights of their own",
            "make two of them",
        ),
        WrongParameters(
            lambda found: any(name.startswith("linear_") for name in found),
            "the two linear maps stand in the block itself",
            "they belong to `self.feed_forward`",
        ),
        WrongParameters(
            lambda found: f"norm_{norms + 1}" in owners(found),
            "a norm too many: a norm behind the last block belongs to the model",
            "one norm for each sublayer",
        ),
    ]
