"""Training a language model on one long text, and measuring it: chapter 13.

Dimension names: ``num_tokens`` of the text; ``length`` tokens that the model sees at once; ``batch`` pieces of an
update.
"""

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.language_model import next_token_batch
from transformer_course.training.checkpoint import fingerprint, load_checkpoint
from transformer_course.training.config import TrainingConfig
from transformer_course.training.run import TrainingRun


class LanguageTrainer(TrainingRun):
    """Train a model of the next token on pieces of a text, drawn anew for every update.

    Args:
        model: ``model(tokens (batch, length)) -> logits (batch, length, vocab_size)``; it trains on the device where it
            is.
        tokens: int64 ``(num_tokens,)``, the text.
        config: of this run; an update takes ``micro_batch_tokens // length`` pieces.
        length: tokens of a piece.
        optimizers: what changes the weights, each with its highest learning rate; the schedule of the config is applied
            to all of them in proportion. None means AdamW.

    Raises:
        ValueError: if the text is too short, or an update has no room for one piece.
    """

    def __init__(
        self,
        model: nn.Module,
        tokens: Tensor,
        config: TrainingConfig,
        length: int,
        optimizers: list[torch.optim.Optimizer] | None = None,
    ):
        if len(tokens) <= length:
            raise ValueError(f"tokens: expected more than length = {length}, got {len(tokens)}")
        if config.micro_batch_tokens < length:
            raise ValueError(
                f"micro_batch_tokens: expected at least length = {length}, got {config.micro_batch_tokens}"
            )
        super().__init__(model, config)
        self.tokens, self.length = tokens.to(self.device), length
        self.optimizers = optimizers or [
            torch.optim.AdamW(
                model.parameters(), config.learning_rate, (0.9, 0.98), weight_decay=config.weight_decay, fused=True
            )
        ]
        self._rates = [group["lr"] for group in self._groups()]
        torch.manual_seed(config.seed)  # for dropout

    def batch(self, step: int) -> tuple[Tensor, Tensor]:
        """Draw the pieces of an update: inputs and labels, both ``(batch, length)``; for one step always the same."""
        generator = torch.Generator().manual_seed(self.config.seed * 1_000_003 + step)
        number = self.config.micro_batch_tokens // self.length
        starts = torch.randint(len(self.tokens) - self.length, (number,), generator=generator)
        return next_token_batch(self.tokens, starts.to(self.device), self.length)

    def state_dict(self) -> dict:
        """Return all that is needed to go on: weights, optimizer, random numbers, progress."""
        return {
            **super().state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "random": torch.get_rng_state(),
            "num_tokens": len(self.tokens),
        }

    def resume(self, checkpoint: str | Path) -> None:
        """Go on where a checkpoint stopped; on a CPU the weights become bit for bit what they would have become.

        Args:
            checkpoint: a file that `run` wrote, for the same text.

        Raises:
            ValueError: if the file is no checkpoint, or was made with another text, other batches or another seed.
        """
        state = load_checkpoint(checkpoint)
        if state.get("num_tokens") != len(self.tokens) or state["config"]["seed"] != self.config.seed:
            raise ValueError(
                f"checkpoint: expected one of a text of {len(self.tokens)} tokens with seed {self.config.seed}, got "
                f"{state.get('num_tokens')} and {state['config']['seed']}"
            )
        self._go_on_from(state)
        for optimizer, kept in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(kept)
        torch.set_rng_state(state["random"])

    def _made_with(self) -> dict:
        text = fingerprint(self.tokens.tolist())
        return {"text": text, "length": self.length, "micro_batch_tokens": self.config.micro_batch_tokens}

    def _groups(self) -> list[dict]:
        return [group for optimizer in self.optimizers for group in optimizer.param_groups]

    def _updates(self) -> Iterator[float]:
        while self.fraction < 1:
            yield self._update()

    def _update(self) -> float:
        config, d_model = self.config, getattr(self.model, "d_model", 512)
        share = config.learning_rate_at(self.progress.step + 1, self.fraction, d_model) / config.learning_rate
        for group, rate in zip(self._groups(), self._rates, strict=True):
            group["lr"] = share * rate
        self.model.zero_grad(set_to_none=True)
        inputs, labels = self.batch(self.progress.step)
        loss = F.cross_entropy(self.model(inputs).flatten(0, 1), labels.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), config.max_grad_norm)
        for optimizer in self.optimizers:
            optimizer.step()
        return loss.item()


@torch.no_grad()
def losses_of(
    model: nn.Module, tokens: Tensor, length: int, least_context: int = 0, batch: int = 64
) -> tuple[Tensor, Tensor]:
    """Measure a model on a text, window by window.

    Args:
        model: ``model(tokens (batch, length)) -> logits (batch, length, vocab_size)``; it is put into eval mode.
        tokens: int64 ``(num_tokens,)``, a text that it has not been trained on.
        length: tokens that it sees at once. Windows follow each other; what does not fill the last one is left out.
        least_context: in each window, the first so many predictions do not count; the windows overlap by as many, so
            that each token is still predicted once, and has more to go by.
        batch: windows at once.

    Returns:
        The places in the text of the tokens that were predicted, ``(number,)``, and the loss of each in nats.

    Raises:
        ValueError: if no window fits, or the context fills it.
    """
    if not 0 <= least_context < length < len(tokens):
        raise ValueError(
            f"length, least_context: expected least_context < length < {len(tokens)}, got {length}, {least_context}"
        )
    model.eval()
    starts = torch.arange(0, len(tokens) - length, length - least_context, device=tokens.device)
    places, losses = [], []
    for some in starts.split(batch):
        inputs, labels = next_token_batch(tokens, some, length)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten(), reduction="none").view(labels.shape)
        place = some.unsqueeze(1) + torch.arange(1, length + 1, device=tokens.device)  # (windows, length)
        places.append(place[:, least_context:].flatten())
        losses.append(loss[:, least_context:].flatten())
    return torch.cat(places), torch.cat(losses)


def nats_per_token(model: nn.Module, tokens: Tensor, length: int, least_context: int = 0) -> float:
    """Return the mean of ``losses_of``: nats a token."""
    return losses_of(model, tokens, length, least_context)[1].double().mean().item()
