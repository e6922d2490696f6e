"""From sentence pairs to padded batches of similar length."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from transformer_course.common.tokens import BOS, EOS, PAD

Example = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Batch:
    """Sentence pairs of similar length.

    Attributes:
        source: ``(batch, source_length)``, long; rows end with EOS, then PAD.
        target: ``(batch, target_length)``, long; rows begin with BOS and end with EOS, then PAD.
        indices: the positions of the rows in the list of examples.
    """

    source: Tensor
    target: Tensor
    indices: tuple[int, ...] = ()

    def to(self, device: torch.device | str) -> "Batch":
        """Return the batch on a device."""
        return Batch(self.source.to(device), self.target.to(device), self.indices)


def make_examples(
    pairs: Iterable, encode_source: Callable[[Sequence[str]], list[int]], encode_target: Callable
) -> list[Example]:
    """Turn sentence pairs into ids: sources end with EOS, targets begin with BOS and end with EOS.

    Args:
        pairs: anything with ``source`` and ``target``, as a ``SentencePair`` has them.
        encode_source: turns a source into ids, such as the ``encode`` of a vocabulary.
        encode_target: the same for targets.

    Returns:
        One ``(source ids, target ids)`` for each pair.
    """
    return [([*encode_source(pair.source), EOS], [BOS, *encode_target(pair.target), EOS]) for pair in pairs]


def make_batches(examples: Sequence[Example], max_tokens: int, generator: torch.Generator | None = None) -> list[Batch]:
    """Sort examples by length and cut them into batches that hold at most ``max_tokens``, padding included.

    Args:
        examples: ``(source ids, target ids)`` with BOS and EOS where they belong.
        max_tokens: at most so many tokens a batch, source and target together, padding counted.
        generator: shuffles examples of equal length and the order of the batches. None = in order of length.

    Returns:
        The batches; every example is in exactly one.

    Raises:
        ValueError: if an example alone is longer than ``max_tokens``.
    """
    order = list(range(len(examples)))
    if generator is not None:
        order = torch.randperm(len(examples), generator=generator).tolist()
    order.sort(key=lambda index: (len(examples[index][0]), len(examples[index][1])))
    groups: list[list[int]] = []
    source_length = target_length = 0
    for index in order:
        source, target = examples[index]
        size = len(groups[-1]) + 1 if groups else 1
        source_length, target_length = max(source_length, len(source)), max(target_length, len(target))
        if groups and size * (source_length + target_length) <= max_tokens:
            groups[-1].append(index)
            continue
        groups.append([index])
        source_length, target_length = len(source), len(target)
        if source_length + target_length > max_tokens:
            raise ValueError(
                f"max_tokens: expected at least {source_length + target_length}, the length of example {index} "
                f"(source and target together), got {max_tokens}"
            )
    if generator is not None:
        groups = [groups[position] for position in torch.randperm(len(groups), generator=generator).tolist()]
    return [_batch(examples, group) for group in groups]


def _batch(examples: Sequence[Example], group: list[int]) -> Batch:
    source, target = (_pad([examples[index][side] for index in group]) for side in (0, 1))
    return Batch(source, target, tuple(group))


def _pad(rows: list[list[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows], dtype=torch.long)  # (batch, longest)
