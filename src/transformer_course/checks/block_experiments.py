"""The checks of exercise 09 beside its contract: gradients block by block, the mended block, and the norm backward."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from transformer_course.checks.answers import Answer
from transformer_course.checks.oracles_blocks import (
    pre_norm,
    right_block,
    right_gradients,
    right_layer_norm_backward,
    run,
)
from transformer_course.checks.reporting import Mistake, draw

UNIT = "transformer_blocks"
BACKWARD = ("layer_norm", "autograd")


def torch_stack(
    depth: int, norm_first: bool, seed: int, d_model: int = 16, kind: type = nn.TransformerEncoderLayer
) -> list[nn.Module]:
    """Make blocks of torch with Xavier uniform matrices, and leave torch's generator as it was."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        options = {"dropout": 0.0, "batch_first": True, "norm_first": norm_first}
        blocks = [kind(d_model, 2, 3 * d_model, **options) for _ in range(depth)]
        for block in blocks:
            for name, parameter in block.named_parameters():
                if parameter.dim() == 2:
                    for matrix in parameter.chunk(3 if "in_proj" in name else 1):  # query, key, value
                        nn.init.xavier_uniform_(matrix)
        return blocks


def at_the_start(depth: int, norm_first: bool, seeds: Sequence[int] = range(5)) -> tuple[float, float]:
    """Measure torch's blocks at the start: the size of what leaves the last one, and its gradient; means over seeds.

    Args:
        depth: number of blocks.
        norm_first: the order of the norms; with True another norm follows the last block.
        seeds: of weights and inputs.

    Returns:
        The standard deviation of the last block's result, before the norm behind it, and the length of the gradient of
        its parameters for a random gradient at the end.
    """
    sizes, gradients = [], []
    for seed in seeds:
        blocks = torch_stack(depth, norm_first, seed, d_model=32)
        x, upstream = draw(8, 10, 32, seed=seed + 1000), draw(8, 10, 32, seed=seed + 2000)
        end = [nn.LayerNorm(32)] if norm_first else []
        gradients.append(right_gradients([*blocks, *end], x, upstream)[depth - 1])
        with torch.no_grad():
            for block in blocks:
                x = block(x)
        sizes.append(x.std().item())
    return sum(sizes) / len(seeds), sum(gradients) / len(seeds)


def check_gradient_per_block(gradient_per_block: Callable) -> None:
    """Check the experiment on small blocks: with and without a memory, and called twice."""
    subject = Answer(gradient_per_block, "gradient_per_block", UNIT)
    blocks, x, upstream = torch_stack(3, False, seed=1), draw(2, 5, 16, seed=71), draw(2, 5, 16, seed=72)
    compare_gradients(subject, "3 blocks", blocks, x, upstream)
    compare_gradients(subject, "the same 3 blocks, once more", blocks, x, upstream)
    subject.passed("one number for each block, the same in every call")
    blocks = torch_stack(2, True, seed=2, kind=nn.TransformerDecoderLayer)
    compare_gradients(subject, "2 blocks of a decoder", blocks, x, upstream, draw(2, 7, 16, seed=73))
    subject.passed("blocks that read a memory")


def compare_gradients(
    subject: Answer,
    situation: str,
    blocks: Sequence[nn.Module],
    x: Tensor,
    upstream: Tensor,
    memory: Tensor | None = None,
) -> None:
    """Compare the learner's numbers with ours."""
    result = subject(situation, list(blocks), x, upstream, *([] if memory is None else [memory]))
    expected = f"a list of {len(blocks)} Python numbers, from the first block to the last"
    if type(result) is not list or not all(type(each) is float for each in result):
        kinds = type(result).__name__ if type(result) is not list else f"list of {type(result[0]).__name__}"
        hint = "`.item()` makes a number of a tensor"
        subject.fail(situation, f"it returned a {kinds}", expected, "the type of what is returned", hint)
    right = right_gradients(blocks, x, upstream, memory)
    if len(result) != len(right):
        observed = f"it returned {len(result)} numbers"
        cause = "one number for each parameter, or one for all blocks; a block's parameters belong together"
        subject.fail(
            situation, observed, expected, cause, "collect all gradients of one block before you take the norm"
        )

    def close(numbers: Sequence[float]) -> bool:
        return all(math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-7) for a, b in zip(result, numbers, strict=True))

    if close(right):
        return
    own = [[p for p in block.parameters() if p.requires_grad] for block in blocks]
    y = x
    for block in blocks:
        y = block(y) if memory is None else block(y, memory)
    flat = iter(torch.autograd.grad(y, [p for group in own for p in group], upstream, retain_graph=True))
    gradients = [[next(flat) for _ in group] for group in own]
    plain = right_gradients(blocks, x, torch.ones_like(upstream), memory)
    hint = "write the sum of squares for a block with one small layer, by hand"
    known = [
        (right[::-1], "the numbers stand in the wrong order", "the list begins with the last block"),
        ([number**2 for number in right], "the numbers are squares", "the root of the sum of squares is missing"),
        ([sum(float(g.norm()) for g in group) for group in gradients], "the numbers are too large",
         "the norms of the parameters are added up; squares add up, norms do not"),
        ([max(float(g.norm()) for g in group) for group in gradients], "the numbers are too small",
         "only the largest of a block's gradients counts"),
        ([sum(float(g.abs().sum()) for g in group) for group in gradients], "the numbers are too large",
         "absolute values are added up, not squares"),
        ([max(float(g.abs().max()) for g in group) for group in gradients], "the numbers are too small",
         "the largest entry is taken, not the Euclidean norm"),
        ([float(torch.cat([g.flatten() for g in group]).mean()) for group in gradients], "the numbers are tiny",
         "the mean of the gradients is taken, not their norm"),
        ([sum(float(p.detach().square().sum()) for p in group) ** 0.5 for group in own],
         "the numbers do not depend on upstream", "the norm of the parameters is taken, not of their gradients"),
        (plain, "the numbers do not depend on upstream", "the sum of the result is carried back, not upstream"),
        ([each / upstream.numel() for each in plain], "the numbers do not depend on upstream",
         "the mean of the result is carried back, not upstream"),
        ([2 * number for number in right], "the numbers are twice as large",
         "`.grad` still holds what an earlier call has left: backward() adds to it"),
    ]  # fmt: skip
    for numbers, observed, cause in known:
        if close(numbers):
            subject.fail(
                situation, observed, expected, cause, "print `.grad` before you begin" if ".grad" in cause else hint
            )
    cause = "none of the mistakes that we know"
    subject.fail(situation, "other numbers", expected + ": the length of its gradient", cause, hint)


def _sublayers(d: int, seed: int) -> list[Callable[[Tensor], Tensor]]:
    """Make two sublayers and two norms with fixed numbers: attend, think, norm_1, norm_2."""
    first, second, gain, shift = (
        draw(*shape, seed=seed + n).double() for n, shape in enumerate([(d, d)] * 2 + [(d,)] * 2)
    )

    def norm(scale: Tensor, move: Tensor) -> Callable[[Tensor], Tensor]:
        def apply(x: Tensor) -> Tensor:
            x = x - x.mean(-1, keepdim=True)
            return x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * scale + move

        return apply

    def attend(x: Tensor) -> Tensor:
        return (x @ first).cumsum(1) / 3

    def think(x: Tensor) -> Tensor:
        return (x @ second).tanh()

    return [attend, think, norm(gain, shift), norm(shift, gain)]


def check_mended_block(mended_block: Callable) -> None:
    """Check two properties that the broken function does not have; say which one is missing, not where."""
    subject = Answer(mended_block, "mended_block", UNIT)
    x = draw(2, 5, 8, seed=81, dtype=torch.float64)
    silent = [lambda x: 0 * x, lambda x: 0 * x]
    norms = _sublayers(8, 82)[2:]
    situation = "both sublayers say nothing"
    result = subject.tensor(situation, x, *silent, *norms, like=x)
    hint = "follow x alone, line by line: which operations does it go through?"
    through = Mistake(
        norms[0](x),
        "the result is x after a norm",
        "the path of x itself goes through a norm",
        hint,
    )
    shifted = Mistake(
        x + norms[1](0 * x),
        "a norm adds its shift, although the sublayer says nothing",
        "what a sublayer says goes through a norm before it is added",
        hint,
    )
    both = Mistake(
        norms[0](x) + norms[1](0 * x), "x does not come through", f"{through.cause}; and {shifted.cause}", hint
    )
    post = Mistake(
        norms[1](norms[0](x)),
        "x comes out normalised",
        "this is the other order, post-norm, which normalises the sums",
        "the block was meant to be pre-norm: nothing but sums stands on the path of x",
    )
    subject.compare(situation, result, x, "x, unchanged", [through, shifted, both, post], hint)
    subject.passed("x comes through when the sublayers say nothing")
    compare_mended(subject, "two sublayers that say something", x, 82)
    subject.passed("each sublayer reads the normalised x, and is added to x")


def compare_mended(subject: Answer, situation: str, x: Tensor, seed: int) -> None:
    """Compare the mended block with the right one, on sublayers that say something."""
    attend, think, norm_1, norm_2 = parts = _sublayers(x.shape[-1], seed)
    right = right_block(x, *parts)
    mixed = "which of the four functions does the residual path go through, and what does each sublayer read?"

    def other(*steps: tuple) -> Tensor:
        return run(x, steps, [pre_norm] * len(steps))

    first = x + attend(norm_1(x))
    stale = "a normalised x is used again after x has changed; normalise x anew for each sublayer"
    mistakes = [
        *(
            Mistake(first + think(read), f"the second sublayer reads {what}", stale, mixed)
            for read, what in (
                (norm_2(norm_1(x)), "what both norms have made of the x that came in"),
                (norm_1(x), "the same as the first"),
                (norm_2(x), "the x that came in, normalised"),
            )
        ),
        Mistake(
            norm_2(norm_1(x + attend(x)) + think(norm_1(x + attend(x)))),
            "the sums are normalised",
            "this is the other order, post-norm; the block was meant to be pre-norm",
            mixed,
        ),
        Mistake(first + think(first), "the second sublayer reads x as it is", "norm_2 is not used any more", mixed),
        Mistake(
            other((attend, lambda x: x), (think, norm_2)),
            "the first sublayer reads x as it is",
            "norm_1 is not used any more",
            mixed,
        ),
        Mistake(
            first + think(norm_1(first)), "a norm has the gain of another", "norm_1 is used twice, norm_2 never", mixed
        ),
        Mistake(
            other((think, norm_1), (attend, norm_2)), "the sublayers come in another order", "attend comes first", mixed
        ),
        Mistake(
            x + think(norm_2(first)),
            "what the first sublayer has added is lost",
            "the second residual starts from the input",
            mixed,
        ),
    ]
    result = subject.tensor(situation, x, *parts, like=right)
    requirement = "each sublayer reads the normalised x; what it says is added to x itself"
    subject.compare(situation, result, right, requirement, mistakes, mixed)


def check_layer_norm_backward(layer_norm_backward: Callable) -> None:
    """Check the gradient of the norm with respect to its input."""
    subject = Answer(layer_norm_backward, "layer_norm_backward", UNIT, BACKWARD)
    x, grad_output = draw(2, 5, 8, seed=91, dtype=torch.float64), draw(2, 5, 8, seed=92, dtype=torch.float64)
    weight = draw(8, seed=93, dtype=torch.float64)
    for situation, eps in [("d_model 8", 1e-5), ("eps = 0.5", 0.5)]:
        centred = x - x.mean(-1, keepdim=True)
        deviation = (centred.square().mean(-1, keepdim=True) + eps).sqrt()
        normal, scaled = centred / deviation, grad_output * weight
        along = (scaled * normal).mean(-1, keepdim=True)
        centre = scaled - scaled.mean(-1, keepdim=True)
        hint = "write down how one feature of x reaches every y: directly, through the mean, through the variance"
        mistakes = [
            Mistake(scaled / deviation, "the gradient is longer than the right one",
                    "mean and variance are taken for constants; both depend on x", hint),
            Mistake(centre / deviation, "a part along the normalised x is left",
                    "the variance is taken for a constant; it depends on x", hint),
            Mistake((scaled - normal * along) / deviation, "the gradient does not sum to zero over the features",
                    "the mean is taken for a constant; it depends on x", hint),
            Mistake(centre - normal * along, "the gradient does not shrink when x grows", "no division by the standard "
                    "deviation", hint),
            Mistake(
                (grad_output - grad_output.mean(-1, keepdim=True)
                 - normal * (grad_output * normal).mean(-1, keepdim=True)) / deviation,
                "the gain has no effect", "grad_output is not multiplied by weight", hint),
            Mistake(
                weight * (grad_output - grad_output.mean(-1, keepdim=True)
                          - normal * (grad_output * normal).mean(-1, keepdim=True)) / deviation,
                "the gain comes too late", "grad_output is multiplied by weight at the end, not at the start", hint),
        ]  # fmt: skip
        right = right_layer_norm_backward(x, weight, grad_output, eps)
        result = subject.tensor(situation, x, weight, grad_output, eps, like=right)
        subject.compare(situation, result, right, "the gradient with respect to x", mistakes, hint)
    subject.returns(
        "eps left out of the call",
        right_layer_norm_backward(x / 100, weight, grad_output),
        *(x / 100, weight, grad_output),
    )
    subject.passed("the gradient takes three ways")
