"""What is right about the whole model, from its weights by name, with torch's functions: the oracle of exercise 10.

Every known mistake is a word; the functions that take ``wrong`` compute what a model with these mistakes would say.
"""

import copy
from collections.abc import Callable, Collection, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.checks.oracles_blocks import normalise, part, right_decoder, right_encoder
from transformer_course.checks.oracles_positions import right_embedding, right_encoding
from transformer_course.checks.oracles_transduction import right_loss
from transformer_course.checks.positional_encoding import default_dtype

Weights = dict[str, Tensor]
# The constructor's arguments that decide about the result, as the contract has them.
DEFAULTS = {"num_heads": 8, "num_encoder_layers": 6, "num_decoder_layers": 6, "norm_first": False, "pad_id": 0}


def right_shapes(source_size: int, target_size: int, options: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """List the model's parameters with their shapes."""
    d, d_ff = options["d_model"], options["d_ff"]
    shapes = {"source_embedding.token.weight": (source_size, d), "target_embedding.token.weight": (target_size, d)}

    def layer(name: str, *shape: int) -> None:
        shapes[f"{name}.weight"], shapes[f"{name}.bias"] = shape, shape[:1]

    for stack, attentions in (("encoder", ("self",)), ("decoder", ("self", "cross"))):
        for number in range(options[f"num_{stack}_layers"]):
            block = f"{stack}_blocks.{number}"
            for attention in attentions:
                for projection in ("query", "key", "value", "output"):
                    layer(f"{block}.{attention}_attention.w_{projection}", d, d)
            layer(f"{block}.feed_forward.linear_1", d_ff, d)
            layer(f"{block}.feed_forward.linear_2", d, d_ff)
            for norm in range(len(attentions) + 1):
                layer(f"{block}.norm_{norm + 1}", d)
        if options.get("norm_first"):
            layer(f"{stack}_norm", d)
    layer("output_layer", target_size, d)
    return shapes


def visible(tokens: Tensor, pad_id: int = 0) -> Tensor:
    """Say which keys are no padding: ``(batch, 1, 1, length)``."""
    return (tokens != pad_id)[:, None, None]


def embed(weights: Weights, options: Mapping[str, Any], name: str, tokens: Tensor, wrong: Collection[str]) -> Tensor:
    """Look up, scale and add positions."""
    table = weights[f"{name}.token.weight"]
    with default_dtype(table.dtype):
        encoding = right_encoding(tokens.shape[1], table.shape[1])
    if "no positions" in wrong or f"no positions in {name}" in wrong:
        encoding = torch.zeros_like(encoding)
    x = right_embedding(tokens, table, encoding, pad_id=options["pad_id"])
    return (x - encoding) / table.shape[1] ** 0.5 + encoding if "not scaled" in wrong else x


def right_memory(
    weights: Weights, options: Mapping[str, Any], source: Tensor, wrong: Collection[str] = ()
) -> list[Tensor]:
    """Read the source; the memory, with what each block before the last one said in front of it."""
    options = DEFAULTS | dict(options)
    x = embed(weights, options, "source_embedding", source, wrong)
    mask = visible(source, options["pad_id"])
    if "encoder sees padding" in wrong:
        mask = torch.ones_like(mask)
    if "encoder mask negated" in wrong:
        mask = ~mask
    if "encoder looks back only" in wrong:
        mask = mask & mask.new_ones(source.shape[1], source.shape[1]).tril()
    said = [x]
    for number in _order(options["num_encoder_layers"], wrong, "encoder"):
        block = part(weights, f"encoder_blocks.{number}")
        x = right_encoder(block, options["num_heads"], x, mask, options["norm_first"] != ("encoder order" in wrong))
        said.append(x)
    if options["norm_first"] and "no encoder norm" not in wrong:
        said[-1] = normalise(weights, "encoder_norm")(x)
    return said


def right_decoding(
    weights: Weights,
    options: Mapping[str, Any],
    target: Tensor,
    memories: list[Tensor],
    source: Tensor,
    wrong: Collection[str] = (),
) -> Tensor:
    """Say what comes next at each position of the target, from the memory that stands last in the list."""
    options = DEFAULTS | dict(options)
    pad_id, length = options["pad_id"], target.shape[1]
    x = embed(weights, options, "target_embedding", target, wrong)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    if "future seen" in wrong:
        causal = torch.ones_like(causal)
    if "causal mask turned" in wrong:
        causal = causal.T
    if "causal mask negated" in wrong:
        causal = ~causal
    mask = causal & visible(target, pad_id)
    memory_mask = visible(source, pad_id)
    if "decoder sees padding" in wrong:
        memory_mask = torch.ones_like(memory_mask)
    if "target's mask for the memory" in wrong:
        memory_mask = visible(target, pad_id)
    if "causal mask for the memory" in wrong:
        memory_mask = memory_mask & torch.ones(length, source.shape[1], dtype=torch.bool).tril()
    for place, number in enumerate(_order(options["num_decoder_layers"], wrong, "decoder")):
        memory = memories[min(place + 1, len(memories) - 1)] if "memory of the same layer" in wrong else memories[-1]
        block = part(weights, f"decoder_blocks.{number}")
        norm_first = options["norm_first"] != ("decoder order" in wrong)
        x = right_decoder(block, options["num_heads"], x, memory, mask, memory_mask, norm_first)
    if options["norm_first"] and "no decoder norm" not in wrong:
        x = normalise(weights, "decoder_norm")(x)
    return F.linear(x, weights["output_layer.weight"], weights["output_layer.bias"])


def right_logits(
    weights: Weights, options: Mapping[str, Any], source: Tensor, target: Tensor, wrong: Collection[str] = ()
) -> Tensor:
    """Read the source and say what comes next at each position of the target."""
    memories = right_memory(weights, options, source, wrong)
    if "memory is the embedding" in wrong:
        memories = memories[:1]
    return right_decoding(weights, options, target, memories, source, wrong)


def _order(number: int, wrong: Collection[str], stack: str) -> list[int]:
    order = list(range(number))
    if f"{stack} backwards" in wrong:
        order.reverse()
    return order[:1] if f"only the first {stack} block" in wrong else order


def right_without_drop(weights: Weights, options: Mapping[str, Any], target: Tensor) -> Tensor:
    """Say what is left of the logits when dropout takes everything: the biases that come after it."""
    options = DEFAULTS | dict(options)
    x = weights["target_embedding.token.weight"].new_zeros(*target.shape, weights["output_layer.weight"].shape[1])
    names = ["decoder_norm"]
    if not options["norm_first"]:
        blocks = range(options["num_decoder_layers"])
        names = [f"decoder_blocks.{block}.norm_{number}" for block in blocks for number in (1, 2, 3)]
    for name in names:
        x = normalise(weights, name)(x)
    return F.linear(x, weights["output_layer.weight"], weights["output_layer.bias"])


def right_rate(step: int, d_model: int, warmup_steps: int) -> float:
    """Compute the two branches on their own: a line up to the peak, then the root."""
    peak = 1 / (d_model * warmup_steps) ** 0.5
    return peak * step / warmup_steps if step < warmup_steps else peak * (warmup_steps / step) ** 0.5


def right_step(
    model: nn.Module,
    source: Tensor,
    target: Tensor,
    make_optimizer: Callable,
    smoothing: float = 0.1,
    max_grad_norm: float = 1.0,
    updates: int = 1,
    wrong: Collection[str] = (),
) -> tuple[float, Tensor]:
    """Update a copy, once or several times: the last loss before an update, and all parameters after it in one row."""
    gradients = [None if each.grad is None else each.grad.clone() for each in model.parameters()]
    model = copy.deepcopy(model)
    optimizer = make_optimizer(model.parameters())
    model.train("in eval mode" not in wrong)
    read, labels = target[:, :-1], target[:, 1:]
    if "input is the label" in wrong:
        read = labels
    if "no shift" in wrong:
        read = labels = target
    if "shift the wrong way" in wrong:
        read, labels = labels, read
    smoothing = 0.0 if "no smoothing" in wrong else 0.1 if "smoothing fixed" in wrong else smoothing
    max_grad_norm = 1.0 if "norm fixed" in wrong else max_grad_norm

    def measure() -> Tensor:
        logits = model(source, read)
        if "softmax twice" in wrong:
            logits = logits.softmax(-1)
        if "padding counts" in wrong:
            return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=smoothing)
        return right_loss(logits, labels, smoothing) * ((labels != 0).sum() if "sum, no mean" in wrong else 1)

    def update(loss: Tensor) -> None:
        for parameter, gradient in zip(model.parameters(), gradients, strict=True):
            parameter.grad = gradient.clone() if gradient is not None and "gradients added" in wrong else None
        (-loss if "uphill" in wrong else loss).backward()
        if "clipped one by one" in wrong:
            for parameter in model.parameters():
                nn.utils.clip_grad_norm_([parameter], max_grad_norm)
        elif "clipped by value" in wrong:
            nn.utils.clip_grad_value_(model.parameters(), max_grad_norm)
        elif "not clipped" not in wrong:
            nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
        optimizer.step()

    for _ in range(updates):
        loss = measure()
        if "no update" not in wrong:
            update(loss)
        if "two updates" in wrong:
            update(measure())
    if "loss after the update" in wrong:
        loss = measure()
    return loss.item(), torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
