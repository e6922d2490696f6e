"""The mistakes with norms and blocks that we know, each with what it returns and how to tell the learner."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from transformer_course.checks.block_wiring import NAMES, wiring_mistakes
from transformer_course.checks.modules import WrongParameters
from transformer_course.checks.oracles_blocks import (
    Sublayer,
    attend,
    normalise,
    part,
    pre_norm,
    right_rule,
    run,
    think,
)
from transformer_course.checks.oracles_heads import right_multi_head
from transformer_course.checks.reporting import Mistake

MEMORY_ASKS = (
    "query and memory are exchanged: the target asks. In cross_attention the query comes from the memory, key and "
    "value from the target"
)
ENCODER = (("self_attention", "norm_1"), ("feed_forward", "norm_2"))
DECODER = (("self_attention", "norm_1"), ("cross_attention", "norm_2"), ("feed_forward", "norm_3"))


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
    mistakes = wiring_mistakes(x, steps, names, norm_first) + _other_activation(
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

    mistakes = wiring_mistakes(x, steps, names, norm_first) + _other_activation(
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
