"""Three tasks on random numbers: copy, reverse, sort. A model that cannot learn them has a mistake in it."""

from collections.abc import Callable

import torch

from transformer_course.common.tokens import BOS, EOS, UNK
from transformer_course.data.batching import Example

FIRST_ID = UNK + 1

TOY_TASKS: dict[str, Callable[[list[int]], list[int]]] = {
    "copy": list,
    "reverse": lambda numbers: numbers[::-1],
    "sort": sorted,
}
"""What each task does with a sequence of ids."""


def make_toy_examples(
    task: str, num_examples: int, vocab_size: int, min_length: int, max_length: int, generator: torch.Generator
) -> list[Example]:
    """Draw examples of a toy task.

    Args:
        task: ``copy``, ``reverse`` or ``sort``.
        num_examples: how many.
        vocab_size: ids are from 4 to ``vocab_size - 1``.
        min_length: the fewest ids in a sequence, BOS and EOS not counted.
        max_length: the most ids in a sequence; every length is equally likely.
        generator: makes the examples repeatable.

    Returns:
        ``(source ids, target ids)`` as ``make_batches`` takes them: sources end with EOS, targets begin with BOS and
        end with EOS.

    Raises:
        ValueError: if the task is unknown, there is no id to draw, or the lengths are not in order.
    """
    if task not in TOY_TASKS:
        raise ValueError(f"task: expected one of {', '.join(TOY_TASKS)}, got {task!r}")
    if num_examples < 0:
        raise ValueError(f"num_examples: expected 0 or more, got {num_examples}")
    if vocab_size <= FIRST_ID:
        raise ValueError(f"vocab_size: expected more than {FIRST_ID} (the special tokens), got {vocab_size}")
    if not 0 <= min_length <= max_length:
        raise ValueError(f"min_length: expected from 0 to max_length = {max_length}, got {min_length}")
    examples = []
    for length in torch.randint(min_length, max_length + 1, (num_examples,), generator=generator).tolist():
        numbers = torch.randint(FIRST_ID, vocab_size, (length,), generator=generator).tolist()
        examples.append(([*numbers, EOS], [BOS, *TOY_TASKS[task](numbers), EOS]))
    return examples
