"""What is right about blocks, by torch's own norm and a list of steps: the oracle of exercise 09."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.checks.oracles_heads import right_multi_head

Sublayer = Callable[[Tensor], Tensor]
# How a sublayer, its norm and what came in become what goes out.
Rule = Callable[[Tensor, Sublayer, Sublayer], Tensor]
ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


def post_norm(x: Tensor, sublayer: Sublayer, norm: Sublayer) -> Tensor:
    """Normalise the sum."""
    return norm(x + sublayer(x))


def pre_norm(x: Tensor, sublayer: Sublayer, norm: Sublayer) -> Tensor:
    """Normalise what the sublayer reads."""
    return x + sublayer(norm(x))


def right_rule(norm_first: bool) -> Rule:
    """Choose one of the two."""
    return pre_norm if norm_first else post_norm


def right_layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Normalise with torch's kernel."""
    return F.layer_norm(x, weight.shape, weight, bias, eps)


def right_layer_norm_backward(x: Tensor, weight: Tensor, grad_output: Tensor, eps: float = 1e-5) -> Tensor:
    """Let autograd carry a gradient back through the norm."""
    with torch.enable_grad():
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad(right_layer_norm(leaf, weight, torch.zeros_like(weight), eps), leaf, grad_output)[0]


def part(weights: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Take the weights of one part of a module, under their own names."""
    return {name[len(prefix) + 1 :]: each for name, each in weights.items() if name.startswith(f"{prefix}.")}


def right_feed_forward(weights: dict[str, Tensor], x: Tensor, activation: str = "relu") -> Tensor:
    """Compute the two linear maps and what stands between them."""
    hidden = F.linear(x, weights["linear_1.weight"], weights["linear_1.bias"])
    return F.linear(ACTIVATIONS[activation](hidden), weights["linear_2.weight"], weights["linear_2.bias"])


def normalise(weights: dict[str, Tensor], name: str) -> Sublayer:
    """Make one of the norms of a block."""
    return lambda x: right_layer_norm(x, weights[f"{name}.weight"], weights[f"{name}.bias"])


def think(weights: dict[str, Tensor], activation: str = "relu") -> Sublayer:
    """Make the feed-forward network of a block."""
    return lambda x: right_feed_forward(part(weights, "feed_forward"), x, activation)


def attend(
    weights: dict[str, Tensor], name: str, num_heads: int, memory: Tensor | None = None, mask: Tensor | None = None
) -> Sublayer:
    """Make an attention of a block: to ``memory``, or without one to what comes in."""

    def sublayer(x: Tensor) -> Tensor:
        read = x if memory is None else memory
        return right_multi_head(part(weights, name), num_heads, x, read, read, mask)[0]

    return sublayer


def run(x: Tensor, steps: Sequence[tuple[Sublayer, Sublayer]], rules: Sequence[Rule]) -> Tensor:
    """Go through the sublayers, each with its norm and its rule."""
    for (sublayer, norm), rule in zip(steps, rules, strict=True):
        x = rule(x, sublayer, norm)
    return x


def right_encoder(
    weights: dict[str, Tensor],
    num_heads: int,
    x: Tensor,
    mask: Tensor | None = None,
    norm_first: bool = False,
    activation: str = "relu",
) -> Tensor:
    """Compute a block of the encoder from its parameters, given by name."""
    sublayers = [attend(weights, "self_attention", num_heads, None, mask), think(weights, activation)]
    norms = [normalise(weights, f"norm_{number}") for number in (1, 2)]
    return run(x, list(zip(sublayers, norms, strict=True)), [right_rule(norm_first)] * 2)


def right_decoder(
    weights: dict[str, Tensor],
    num_heads: int,
    x: Tensor,
    memory: Tensor,
    self_mask: Tensor | None = None,
    memory_mask: Tensor | None = None,
    norm_first: bool = False,
    activation: str = "relu",
) -> Tensor:
    """Compute a block of the decoder from its parameters, given by name."""
    sublayers = [
        attend(weights, "self_attention", num_heads, None, self_mask),
        attend(weights, "cross_attention", num_heads, memory, memory_mask),
        think(weights, activation),
    ]
    norms = [normalise(weights, f"norm_{number}") for number in (1, 2, 3)]
    return run(x, list(zip(sublayers, norms, strict=True)), [right_rule(norm_first)] * 3)


def right_gradients(
    blocks: Sequence[torch.nn.Module], x: Tensor, upstream: Tensor, memory: Tensor | None = None
) -> list[float]:
    """Measure the norm of each block's gradient, without touching what ``.grad`` holds."""
    parameters = [list(block.parameters()) for block in blocks]
    for block in blocks:
        x = block(x) if memory is None else block(x, memory)
    flat = torch.autograd.grad(x, [each for group in parameters for each in group], upstream, allow_unused=True)
    squares, place = [], 0
    for group in parameters:
        own = flat[place : place + len(group)]
        place += len(group)
        squares.append(sum(float(each.double().square().sum()) for each in own if each is not None))
    return [total**0.5 for total in squares]


def right_block(x: Tensor, attend: Sublayer, think: Sublayer, norm_1: Sublayer, norm_2: Sublayer) -> Tensor:
    """Compute a block of pre-norm order from its parts."""
    return run(x, [(attend, norm_1), (think, norm_2)], [pre_norm] * 2)
