"""Chapter 09, its measurements: what becomes of the words and of the gradient in a deep stack of blocks.

Nothing here belongs to a Transformer; it looks into one. The sizes are small, so that a page can measure while it is
built.

Dimension names: ``batch``, ``length``, ``d_model`` the width of the stream, ``depth`` the number of blocks.
"""

import itertools
import math
from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.training.updates import make_updates
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock, LayerNorm, residual

D_MODEL, NUM_HEADS = 32, 4
BATCH, LENGTH, MEMORY_LENGTH, NUM_LABELS = 8, 12, 9, 50
GRADIENTS_OF = {
    "query": lambda block: block.self_attention.w_query.weight,
    "network": lambda block: block.feed_forward.linear_2.weight,
}
"""Of which weights ``weight_gradients`` takes the gradient."""


def own_part(x: Tensor) -> float:
    """Measure how much of the words of a sentence is not what all of them share.

    Args:
        x: ``(batch, length, d_model)``.

    Returns:
        The length of what is left without the mean of the sentence, as a share of the whole.
    """
    return ((x - x.mean(dim=1, keepdim=True)).norm() / x.norm()).item()


class Stack(nn.Module):
    """Encoder blocks, and the last norm where it is needed.

    Args:
        depth: number of blocks.
        norm_first: the order of the norm.
        d_ff: width inside the feed-forward networks; ``4 * D_MODEL`` if it is not said.
    """

    def __init__(self, depth: int, norm_first: bool, d_ff: int = 4 * D_MODEL):
        super().__init__()
        blocks = (EncoderBlock(D_MODEL, NUM_HEADS, d_ff, norm_first=norm_first) for _ in range(depth))
        self.blocks = nn.ModuleList(blocks)
        self.norm = LayerNorm(D_MODEL) if norm_first else nn.Identity()
        self.norm_first = norm_first

    def stream(self, x: Tensor, run: Callable[[nn.Module, Tensor], Tensor] | None = None) -> list[Tensor]:
        """Return what runs between the blocks, from x on.

        Args:
            x: ``(batch, length, d_model)``.
            run: how to pass a block; by calling it if it is not said.

        Returns:
            ``depth + 1`` tensors like x.
        """
        stream = [x]
        for block in self.blocks:
            stream.append(run(block, stream[-1]) if run else block(stream[-1]))
        return stream

    def forward(self, x: Tensor) -> Tensor:
        """Pass ``(batch, length, d_model)`` through all blocks and the last norm."""
        return self.norm(self.stream(x)[-1])


def run_straight(block: EncoderBlock, x: Tensor) -> Tensor:
    """Compute what a block computes, but let no gradient through its sublayers."""

    def attend(x: Tensor) -> Tensor:
        return block.self_attention(*3 * (x.detach(),))[0]

    def think(x: Tensor) -> Tensor:
        return block.feed_forward(x.detach())

    x = residual(x, attend, block.norm_1, block.dropout, block.norm_first)
    return residual(x, think, block.norm_2, block.dropout, block.norm_first)


def stream_gradients(depth: int, norm_first: bool, seed: int, straight: bool = False) -> list[float]:
    """Measure the gradient with respect to the stream after each block, before training.

    Args:
        depth: number of blocks.
        norm_first: the order of the norm.
        seed: of the weights and of the words.
        straight: follow the direct path alone.

    Returns:
        Its length at each of ``depth + 1`` places, relative to that at the top.
    """
    torch.manual_seed(seed)
    stack, output_layer = Stack(depth, norm_first), nn.Linear(D_MODEL, NUM_LABELS)
    x = torch.randn(BATCH, LENGTH, D_MODEL, requires_grad=True)
    stream = stack.stream(x, run_straight if straight else None)
    loss = _loss_of_random_labels(output_layer(stack.norm(stream[-1])))
    gradients = torch.autograd.grad(loss, stream)
    return [(gradient.norm() / gradients[-1].norm()).item() for gradient in gradients]


def weight_gradients(kind: type, depth: int, norm_first: bool, seed: int) -> dict[str, list[float]]:
    """Measure gradients in every block, before training, and how alike the words are.

    Args:
        kind: ``EncoderBlock`` or ``DecoderBlock``.
        depth: number of blocks.
        norm_first: the order of the norm.
        seed: of the weights and of the words.

    Returns:
        For each name in ``GRADIENTS_OF`` the length of the gradient in each block; under "stream" that of the gradient
        with respect to the stream after the block; under "own part" how much the words have of their own where they
        enter it.
    """
    torch.manual_seed(seed)
    blocks = [kind(D_MODEL, NUM_HEADS, 4 * D_MODEL, norm_first=norm_first) for _ in range(depth)]
    norm = LayerNorm(D_MODEL) if norm_first else nn.Identity()
    output_layer = nn.Linear(D_MODEL, NUM_LABELS)
    x, memory = torch.randn(BATCH, LENGTH, D_MODEL), torch.randn(BATCH, MEMORY_LENGTH, D_MODEL)
    found: dict[str, list[float]] = {"own part": []}
    stream = []
    for block in blocks:
        found["own part"].append(own_part(x))
        x = block(x, memory, is_causal=True) if kind is DecoderBlock else block(x)
        stream.append(x)
    loss = _loss_of_random_labels(output_layer(norm(x)))
    for name, weight in GRADIENTS_OF.items():
        gradients = torch.autograd.grad(loss, [weight(block) for block in blocks], retain_graph=True)
        found[name] = [gradient.norm().item() for gradient in gradients]
    found["stream"] = [gradient.norm().item() for gradient in torch.autograd.grad(loss, stream)]
    return found


def first_update(depth: int, norm_first: bool, seed: int, rate: float = 1e-3) -> float:
    """Measure how far the output of a stack moves at the first update with Adam, relative to its length."""
    torch.manual_seed(seed)
    stack, output_layer = Stack(depth, norm_first), nn.Linear(D_MODEL, NUM_LABELS)
    x = torch.randn(BATCH, LENGTH, D_MODEL)
    before = stack(x)
    optimizer = torch.optim.Adam(stack.parameters(), lr=rate)
    _loss_of_random_labels(output_layer(before)).backward()
    optimizer.step()
    with torch.no_grad():
        return ((stack(x) - before).norm() / before.norm()).item()


class Sorter(nn.Module):
    """Name at place i the i-th smallest of the numbers of a row: embedding, stack, one linear layer.

    Args:
        depth: number of blocks.
        norm_first: the order of the norm.
        vocab_size: numbers are from 1 to ``vocab_size - 1``.
    """

    def __init__(self, depth: int, norm_first: bool, vocab_size: int = 10):
        super().__init__()
        self.embedding = TransformerEmbedding(vocab_size, D_MODEL)
        self.stack = Stack(depth, norm_first, d_ff=2 * D_MODEL)
        self.output_layer = nn.Linear(D_MODEL, vocab_size)
        self.vocab_size = vocab_size

    def forward(self, numbers: Tensor) -> Tensor:
        """Map ``(batch, length)`` to logits ``(batch, length, vocab_size)``."""
        return self.output_layer(self.stack(self.embedding(numbers)))

    def draw(self, batch: int, length: int, generator: torch.Generator) -> Tensor:
        """Draw rows of numbers, ``(batch, length)``."""
        return torch.randint(1, self.vocab_size, (batch, length), generator=generator)

    def loss(self, numbers: Tensor) -> Tensor:
        """Return the mean loss over the places, in nats."""
        return F.cross_entropy(self(numbers).flatten(0, 1), numbers.sort().values.flatten())


def place_alone(length: int, num_values: int = 9) -> tuple[float, float]:
    """Compute how well one can sort without looking at the numbers: the best guess for each place.

    At place i stands the i-th smallest; it is at most k if i or more of the numbers are.

    Args:
        length: numbers in a row, drawn independently.
        num_values: each is one of so many, all equally likely.

    Returns:
        The mean loss over the places, in nats, and the share of right places.
    """
    loss, share = 0.0, 0.0
    for place in range(1, length + 1):
        at_most = [
            sum(math.comb(length, j) * p**j * (1 - p) ** (length - j) for j in range(place, length + 1))
            for p in (k / num_values for k in range(num_values + 1))
        ]
        chances = [high - low for low, high in zip(at_most, at_most[1:], strict=False)]
        loss -= sum(chance * math.log(chance) for chance in chances if chance > 0) / length
        share += max(chances) / length
    return loss, share


class Silent(nn.Module):
    """A sublayer that adds nothing: in place of a feed-forward network, to see what it was good for."""

    def forward(self, x: Tensor) -> Tensor:
        """Return zeros in the shape of x."""
        return torch.zeros_like(x)


def train_sorter(
    model: Sorter,
    seed: int,
    num_steps: int,
    rate: float,
    warmup: int,
    batch: int = 16,
    length: int = 6,
    falls: bool = False,
    look_after: Iterable[int] = (),
) -> tuple[list[float], dict[int, dict]]:
    """Train a sorter with Adam.

    Args:
        model: changed in place.
        seed: of the rows of numbers.
        num_steps: updates.
        rate: the highest learning rate.
        warmup: updates over which the rate rises; 1 is no warm-up.
        batch: rows in an update.
        length: numbers in a row.
        falls: whether the rate falls in a line to a twentieth.
        look_after: after how many updates to look inside.

    Returns:
        The loss of every update, and what ``look_inside`` found after each number of updates asked for.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
    looks, made = {}, itertools.count()

    def loss_of_batch() -> Tensor:
        numbers, number = model.draw(batch, length, generator), next(made)
        if number in look_after:
            looks[number] = look_inside(model, numbers)
        return model.loss(numbers)

    def rate_at(done: float) -> float:
        step = done + 1
        return rate * min(1, step / warmup) * (1 - 0.95 * step / num_steps if falls else 1.0)

    return make_updates(optimizer, loss_of_batch, num_steps, rate_at=rate_at), looks


def look_inside(model: Sorter, numbers: Tensor) -> dict:
    """Look at the stream of a sorter, its gradient, and at what the sublayers add to it.

    Returns:
        "gradients": of the stream after each block, relative to that at the top; "own": the own part of the words at
        the top; "attention" and "network": the size of what these add, relative to the stream, mean over the blocks;
        and the own part of that, "attention own" and "network own".
    """
    stream = model.stack.stream(model.embedding(numbers))
    logits = model.output_layer(model.stack.norm(stream[-1]))
    loss = F.cross_entropy(logits.flatten(0, 1), numbers.sort().values.flatten())
    gradients = torch.autograd.grad(loss, stream)
    found = {"gradients": [(g.norm() / gradients[-1].norm()).item() for g in gradients], "own": own_part(stream[-1])}
    with torch.no_grad():
        for name in ("attention", "network"):
            pairs = [said_by(block, x, name) for block, x in zip(model.stack.blocks, stream[:-1], strict=True)]
            found[name] = sum((said.norm() / x.norm()).item() for said, x in pairs) / len(pairs)
            found[f"{name} own"] = sum(own_part(said) for said, _ in pairs) / len(pairs)
    return found


def said_by(block: EncoderBlock, x: Tensor, name: str) -> tuple[Tensor, Tensor]:
    """Return what the attention or the network of a block says, and the stream to which it is added."""

    def attend(x: Tensor) -> Tensor:
        return block.self_attention(x, x, x)[0]

    if name == "attention":
        return attend(block.norm_1(x) if block.norm_first else x), x
    x = residual(x, attend, block.norm_1, block.dropout, block.norm_first)
    return block.feed_forward(block.norm_2(x) if block.norm_first else x), x


@torch.no_grad()
def accuracy_by_depth(model: Sorter, seed: int = 99, length: int = 8, without: str = "") -> list[float]:
    """Read the stream of a pre-norm sorter with its last norm and its output layer, at every depth.

    Args:
        model: a sorter in the order of pre-norm.
        seed: of the rows, which are new to the model.
        length: numbers in a row.
        without: "attention" or "network" leaves out what these add, in all blocks.

    Returns:
        The share of right places, before the first block and after each of its sublayers: ``2 * depth + 1`` numbers.
    """
    numbers = model.draw(500, length, torch.Generator().manual_seed(seed))
    wanted, x, found = numbers.sort().values, model.embedding(numbers), []

    def read(x: Tensor) -> float:
        logits = model.output_layer(model.stack.norm(x))
        return (logits.argmax(-1) == wanted).double().mean().item()

    found.append(read(x))
    for block in model.stack.blocks:
        reads = block.norm_1(x)
        x = x + (without != "attention") * block.self_attention(reads, reads, reads)[0]
        found.append(read(x))
        x = x + (without != "network") * block.feed_forward(block.norm_2(x))
        found.append(read(x))
    return found


def _loss_of_random_labels(logits: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), torch.randint(NUM_LABELS, (BATCH * LENGTH,)))
