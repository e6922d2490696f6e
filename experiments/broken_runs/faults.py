"""Chapter 10: one Transformer that learns to reverse numbers, and five ways to break its training.

Which fault belongs to which letter is in ``FAULTS``; the chapter asks its readers to find out before they look.
"""

import itertools
from dataclasses import dataclass
from unittest import mock

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.tokens import BOS, EOS, PAD, UNK
from transformer_course.data.batching import Example, make_batches
from transformer_course.decoding import translate
from transformer_course.sequence_transduction import teacher_forcing_pair
from transformer_course.training.updates import make_updates
from transformer_course.transformer import Transformer
from transformer_course.transformer_blocks import DecoderBlock

FAULTS = {
    "A": "no causal mask",
    "B": "labels not shifted",
    "C": "no positions",
    "D": "rate too high",
    "E": "softmax twice",
}
VOCAB_SIZE, MIN_LENGTH, MAX_LENGTH = 14, 3, 8


@dataclass(frozen=True)
class Run:
    """What a run shows: the loss of every update, and the share of the test sequences reversed without a mistake."""

    losses: list[float]
    share: float

    @property
    def end(self) -> float:
        """The mean loss of the last ten updates."""
        return sum(self.losses[-10:]) / len(self.losses[-10:])


def reversing_examples() -> tuple[list[Example], list[Example]]:
    """Draw 6,000 sequences of 3 to 8 numbers to train on and 400 to test; some short ones are in both."""
    drawn = ([], [])
    for examples, number, seed in zip(drawn, (6_000, 400), (0, 1), strict=True):
        generator = torch.Generator().manual_seed(seed)
        for length in torch.randint(MIN_LENGTH, MAX_LENGTH + 1, (number,), generator=generator).tolist():
            numbers = torch.randint(UNK + 1, VOCAB_SIZE, (length,), generator=generator).tolist()
            examples.append(([*numbers, EOS], [BOS, *numbers[::-1], EOS]))
    return drawn


def train_reverser(fault: str = "", seed: int = 0, num_steps: int = 250) -> Run:
    """Train a small Transformer, with one fault or with none.

    Args:
        fault: a key of ``FAULTS``, or nothing.
        seed: of the weights and of the order of the batches.
        num_steps: updates.

    Returns:
        The losses and what the model can do afterwards.

    Raises:
        ValueError: if there is no such fault.
    """
    if fault and fault not in FAULTS:
        raise ValueError(f"fault: expected one of {', '.join(FAULTS)}, got {fault!r}")
    torch.manual_seed(seed)
    sizes = {"num_encoder_layers": 1, "num_decoder_layers": 2, "d_ff": 192}
    model = Transformer(VOCAB_SIZE, VOCAB_SIZE, 48, 4, **sizes, dropout=0.0, norm_first=True)
    if fault == "C":
        for embedding in (model.source_embedding, model.target_embedding):
            embedding.encoding.zero_()
    train, test = reversing_examples()
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    generator = torch.Generator().manual_seed(seed)
    batches = (batch for _ in itertools.count() for batch in make_batches(train, 900, generator=generator))

    def loss_of_batch() -> Tensor:
        batch = next(batches)
        return _loss(model, batch.source, batch.target, fault)

    def rate_at(step: float) -> float:
        rate = 5e-3 * min(1, (step + 1) / 40) * (1 - 0.95 * step / num_steps)
        return 20 * rate if fault == "D" else rate

    with mock.patch.object(DecoderBlock, "forward", _see_everything if fault == "A" else _decode_block):
        losses = make_updates(optimizer, loss_of_batch, num_steps, rate_at=rate_at, max_grad_norm=1.0)
        return Run(losses, _reversed_without_mistake(model.eval(), test))


_decode_block = DecoderBlock.forward


def _see_everything(block: DecoderBlock, *inputs: Tensor, is_causal: bool) -> Tensor:
    return _decode_block(block, *inputs)


def _loss(model: nn.Module, source: Tensor, target: Tensor, fault: str) -> Tensor:
    decoder_input, labels = teacher_forcing_pair(target)  # both (batch, target_length - 1)
    logits = model(source, labels if fault == "B" else decoder_input).flatten(0, 1)
    return F.cross_entropy(logits.softmax(-1) if fault == "E" else logits, labels.flatten(), ignore_index=PAD)


@torch.no_grad()
def _reversed_without_mistake(model: nn.Module, examples: list[Example]) -> float:
    right = 0
    for length in range(MIN_LENGTH, MAX_LENGTH + 1):
        rows = [(source, target) for source, target in examples if len(source) == length + 1]
        source, target = (torch.tensor(side) for side in zip(*rows, strict=True))
        written = translate(model, source, length + 1, use_cache=False)  # word by word: it reads what it has written
        right += sum(words.tolist() == wanted.tolist() for words, wanted in zip(written, target[:, 1:], strict=True))
    return right / len(examples)
