"""The training loop: batches, loss, gradient, update, and everything needed to stop and go on.

Source: Vaswani et al. (2017), section 5 (batches by tokens, Adam, the schedule, label smoothing); Loshchilov & Hutter
(2019), algorithm 2 (weight decay beside Adam).
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.data.batching import Batch, Example, make_batches
from transformer_course.sequence_transduction import label_smoothing_loss, teacher_forcing_pair
from transformer_course.training.checkpoint import fingerprint, load_checkpoint
from transformer_course.training.config import TrainingConfig
from transformer_course.training.distributed import Process, gather_random_states, share_gradients
from transformer_course.training.run import TrainingRun

_BATCHING = ("micro_batch_tokens", "update_tokens")


class Trainer(TrainingRun):
    """Train a model of the course on pairs of token sequences.

    Args:
        model: `forward(source, target_input) -> logits`; it trains on the device where it is.
        examples: pairs of source ids (ending with EOS) and target ids (from BOS to EOS).
        config: of this run.
        process: which of several processes this is; None for a process alone.

    Raises:
        ValueError: if there are no examples, one does not begin and end as said, or several processes are to stop
            by CPU time, which they would not do together.
    """

    def __init__(
        self, model: nn.Module, examples: Sequence[Example], config: TrainingConfig, process: Process | None = None
    ) -> None:
        _check_examples(examples)
        super().__init__(model, config)
        self.process = process or Process(rank=0, world_size=1, device=self.device)
        if self.process.world_size > 1 and config.num_steps is None:
            raise ValueError("num_steps: expected a number, because several processes have to stop at the same step")
        self.is_first = self.process.is_first
        self.parallel_model = share_gradients(model, self.process)
        self.examples = examples
        self.optimizer = torch.optim.AdamW(
            model.parameters(),
            lr=config.learning_rate,
            betas=(0.9, 0.98),
            eps=1e-9,
            weight_decay=config.weight_decay,
            fused=True,
        )
        torch.manual_seed(config.seed + self.process.rank)  # dropout differs between processes

    def examples_of_epoch(self) -> Sequence[Example]:
        """Return what the pass that is under way goes through; a subclass may make something else of the examples.

        It is called anew when a run is resumed, so the same epoch has to give the same examples.
        """
        return self.examples

    def state_dict(self) -> dict:
        """Return all that is needed to go on: weights, optimizer, random numbers, place in the data.

        Several processes have to call this together, because each one's random numbers are in it.
        """
        return {
            **super().state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": gather_random_states(self.process),
            "num_examples": len(self.examples),
        }

    def resume(self, checkpoint: str | Path) -> None:
        """Go on where a checkpoint stopped; on a CPU the weights become bit for bit what they would have become.

        Args:
            checkpoint: a file that `run` wrote, with the same examples and as many processes.

        Raises:
            ValueError: if the file is no checkpoint, or was made with other examples, batches, another number of
                processes or another seed.
        """
        state = load_checkpoint(checkpoint)
        if len(state["random"]) != self.process.world_size:
            raise ValueError(
                f"checkpoint: made by {len(state['random'])} process(es), expected {self.process.world_size}"
            )
        if state["num_examples"] != len(self.examples) or state["config"]["seed"] != self.config.seed:
            raise ValueError(
                f"checkpoint: made with {state['num_examples']} examples and seed {state['config']['seed']}, "
                f"expected {len(self.examples)} and {self.config.seed}"
            )
        self._go_on_from(state)
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"][self.process.rank])

    def _made_with(self) -> dict:
        examples = fingerprint([(list(source), list(target)) for source, target in self.examples])
        return {"examples": examples} | {name: getattr(self.config, name) for name in _BATCHING}

    def _updates(self) -> Iterator[float]:
        while True:
            order = torch.Generator().manual_seed(self.config.seed * 1_000_003 + self.progress.epoch)
            examples = self.examples_of_epoch()
            groups = self._group(make_batches(examples, self.config.micro_batch_tokens, generator=order))
            for micro_batches in groups[self.progress.updates_in_epoch :]:
                if self.fraction >= 1:
                    return
                yield self._update(micro_batches)
            self.progress.epoch += 1
            self.progress.updates_in_epoch = 0

    def _group(self, batches: Sequence[Batch]) -> list[list[Batch]]:
        """Collect micro-batches until an update has its tokens; without a number, one for each process."""
        groups, group, tokens = [], [], 0
        for batch in batches:
            group.append(batch)
            tokens += _num_labels(batch)
            wanted = self.config.update_tokens
            if len(group) == self.process.world_size if wanted is None else tokens >= wanted:
                groups.append(group)
                group, tokens = [], 0
        if group:
            groups.append(group)
        return [self._fill(group) for group in groups]

    def _fill(self, group: list[Batch]) -> list[Batch]:
        """Give every process as many micro-batches, the last ones of padding only: their loss and gradient are 0."""
        source, target = (torch.full_like(x, PAD) for x in _tensors(group[0]))
        target[:, 0] = BOS
        padding = Batch(source, target)
        return group + [padding] * (-len(group) % self.process.world_size)

    def _update(self, micro_batches: Sequence[Batch]) -> float:
        """Make one update; the gradient is that of the mean over all labels of all processes."""
        num_labels = sum(_num_labels(batch) for batch in micro_batches)
        rate = self.config.learning_rate_at(self.progress.step + 1, self.fraction, getattr(self.model, "d_model", 512))
        for parameters in self.optimizer.param_groups:
            parameters["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        mine = micro_batches[self.process.rank :: self.process.world_size]
        total = torch.zeros((), device=self.device)
        for i, batch in enumerate(mine):
            is_last = i == len(mine) - 1
            with self._without_sharing() if not is_last else nullcontext():
                # Gradients are averaged over the processes, so each one's share counts `size` times.
                share = _num_labels(batch) / num_labels
                loss = self._loss(batch) * share
                (loss * self.process.world_size).backward()
            total += loss.detach()
        if self.process.world_size > 1:
            torch.distributed.all_reduce(total)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.config.max_grad_norm)
        self.optimizer.step()
        self.progress.updates_in_epoch += 1
        return total.item()

    def _loss(self, batch: Batch) -> torch.Tensor:
        source, target = (x.to(self.device, non_blocking=True) for x in _tensors(batch))
        decoder_input, labels = teacher_forcing_pair(target)  # both (batch, target_length - 1)
        mixed = self.device.type == "cuda" and torch.cuda.is_bf16_supported()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=mixed):
            logits = self.parallel_model(source, decoder_input)  # (batch, target_length - 1, vocab_size)
        return label_smoothing_loss(logits.float(), labels, self.config.smoothing)

    def _without_sharing(self):
        if isinstance(self.parallel_model, DistributedDataParallel):
            return self.parallel_model.no_sync()
        return nullcontext()


def _tensors(batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    return batch.source, batch.target


def _num_labels(batch: Batch) -> int:
    return int((batch.target[:, 1:] != PAD).sum())


def _check_examples(examples: Sequence[Example]) -> None:
    if not examples:
        raise ValueError("examples: expected at least one pair, got none")
    for i, (source, target) in enumerate(examples):
        if not source or source[-1] != EOS:
            raise ValueError(f"examples[{i}]: expected a source that ends with EOS, got {list(source)}")
        if len(target) < 2 or target[0] != BOS or target[-1] != EOS:
            raise ValueError(f"examples[{i}]: expected a target from BOS to EOS, got {list(target)}")
