"""The loop: what it resumes, what it accumulates, what several processes agree on, and that it learns."""

import itertools
import json
import os
import socket
import subprocess
import sys
import time

import pytest
import torch
from torch.nn import functional as F
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS
from transformer_course.training.checkpoint import load_checkpoint
from transformer_course.training.config import TrainingConfig
from transformer_course.training.distributed import Process
from transformer_course.training.loop import Trainer

SETTINGS = {"micro_batch_tokens": 60, "update_tokens": 50, "max_grad_norm": 1e9, "learning_rate": 1e-3}

# What each of two processes runs; `torchrun` would set the same environment. With dropout it trains five steps in one
# go and, with a second model, three, and then from the checkpoint, as if newly started, the other two.
ONE_OF_TWO = """
import json
import sys
from pathlib import Path

import torch

from transformer_course.training.config import TrainingConfig
from transformer_course.training.distributed import join_process_group
from transformer_course.training.loop import Trainer

folder, settings = Path(sys.argv[1]), json.loads(sys.argv[2])
examples = torch.load(folder / "examples.pt")

def trainer(num_steps, dropout):
    model = torch.load(folder / "model.pt", weights_only=False)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = dropout
    return Trainer(model, examples, TrainingConfig(num_steps=num_steps, **settings, schedule="noam"), process)

with join_process_group(torch.device("cpu")) as process:
    alike = trainer(3, dropout=0.0)
    losses = alike.run()
    gradients = {name: parameter.grad for name, parameter in alike.model.named_parameters()}
    whole = trainer(5, dropout=0.3)
    whole.run()
    trainer(3, dropout=0.3).run(folder / "run.pt")
    torch.distributed.barrier()
    resumed = trainer(5, dropout=0.3)
    resumed.resume(folder / "run.pt")
    resumed.run()
    torch.save(
        {"losses": losses, **gradients, "whole": whole.progress.losses, "resumed": resumed.progress.losses},
        folder / f"rank{process.rank}.pt",
    )
"""


def weights(model):
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


def test_a_resumed_run_ends_bit_for_bit_like_one_that_was_never_stopped(examples, make_model, tmp_path):
    config = TrainingConfig(num_steps=23, micro_batch_tokens=70, warmup_steps=4, learning_rate=1e-2)
    whole = make_model(dropout=0.2)
    losses = Trainer(whole, examples, config).run()

    stopped = make_model(dropout=0.2)
    trainer = Trainer(stopped, examples, config)

    def stop(*_):
        if trainer.progress.step == 17:
            raise KeyboardInterrupt

    hook = stopped.register_forward_pre_hook(stop)
    with pytest.raises(KeyboardInterrupt):
        trainer.run(tmp_path / "run.pt", every=5)
    hook.remove()
    assert load_checkpoint(tmp_path / "run.pt")["progress"]["step"] == 15

    torch.manual_seed(99)  # whatever happened in between
    resumed = make_model(dropout=0.2)
    trainer = Trainer(resumed, examples, config)
    trainer.resume(tmp_path / "run.pt")
    assert trainer.run() == losses
    for name, parameter in weights(whole).items():
        assert torch.equal(parameter, weights(resumed)[name]), name


def test_resume_refuses_other_data(examples, make_model, tmp_path):
    config = TrainingConfig(num_steps=2, micro_batch_tokens=70)
    Trainer(make_model(), examples, config).run(tmp_path / "run.pt")
    with pytest.raises(ValueError, match="checkpoint: made with 60 examples and seed 0, expected 59 and 0"):
        Trainer(make_model(), examples[1:], config).resume(tmp_path / "run.pt")


@pytest.mark.parametrize("changed", ["examples", "micro_batch_tokens", "update_tokens"])
def test_resume_refuses_as_many_other_examples_and_other_batches(examples, make_model, tmp_path, changed):
    settings = {"num_steps": 2, "micro_batch_tokens": 70, "update_tokens": 90}
    Trainer(make_model(), examples, TrainingConfig(**settings)).run(tmp_path / "run.pt")
    if changed == "examples":
        examples = [*examples[1:], examples[0]]
    else:
        settings[changed] += 10
    with pytest.raises(ValueError, match=f"checkpoint: made with other {changed}"):
        Trainer(make_model(), examples, TrainingConfig(**settings)).resume(tmp_path / "run.pt")


def test_accumulated_gradient_is_that_of_the_mean_over_all_labels(examples, make_model):
    model = make_model()
    config = TrainingConfig(num_steps=1, micro_batch_tokens=60, update_tokens=10_000, max_grad_norm=1e9, smoothing=0.1)
    Trainer(model, examples, config).run()  # one update with all examples, in many micro-batches
    oracle = make_model()
    total = torch.zeros(())
    num_labels = 0
    for source, target in examples:  # one sentence at a time: no padding, no batches
        logits = oracle(torch.tensor([source]), torch.tensor([target[:-1]]))[0]
        total = total + F.cross_entropy(logits, torch.tensor(target[1:]), label_smoothing=0.1, reduction="sum")
        num_labels += len(target) - 1
    (total / num_labels).backward()
    for (name, mine), (_, theirs) in zip(model.named_parameters(), oracle.named_parameters(), strict=True):
        assert_close(mine.grad, theirs.grad, rtol=1e-4, atol=1e-6, msg=name)  # float32 sums in another order


def test_weight_decay_takes_its_share_off_every_weight_beside_the_update(examples, make_model):
    """Loshchilov & Hutter (2019), algorithm 2: the decay is no part of the gradient that Adam divides by its size."""
    before = weights(make_model())
    settings = {"num_steps": 1, "micro_batch_tokens": 60, "warmup_steps": 2, "learning_rate": 0.04}
    plain, decayed = make_model(), make_model()
    Trainer(plain, examples, TrainingConfig(**settings)).run()
    Trainer(decayed, examples, TrainingConfig(**settings, weight_decay=0.3)).run()
    for name, parameter in weights(decayed).items():
        # The first update: half of the way up, so that the rate is 0.02, and 0.3 * 0.02 = 0.006.
        assert_close(parameter, weights(plain)[name] - 0.006 * before[name], rtol=0, atol=1e-6, msg=name)
    assert max((weights(decayed)[name] - weights(plain)[name]).abs().max() for name in before) > 1e-3


@pytest.fixture
def two_processes(examples, make_model, tmp_path):
    """Run two processes to their end, and return what each of them found out."""
    torch.save(examples, tmp_path / "examples.pt")
    torch.save(make_model(), tmp_path / "model.pt")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", ONE_OF_TWO, tmp_path, json.dumps(SETTINGS)],
            env={
                **os.environ,
                "RANK": str(rank),
                "LOCAL_RANK": str(rank),
                "WORLD_SIZE": "2",
                "OMP_NUM_THREADS": "1",
                "MASTER_ADDR": "127.0.0.1",
                "MASTER_PORT": str(port),
            },
        )
        for rank in range(2)
    ]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    return [torch.load(tmp_path / f"rank{rank}.pt", weights_only=True) for rank in range(2)]


def test_two_processes_have_the_gradient_of_one_and_resume_with_their_own_dropout(examples, make_model, two_processes):
    alone = make_model()
    losses = Trainer(alone, examples, TrainingConfig(num_steps=3, **SETTINGS, schedule="noam")).run()
    for result in two_processes:
        assert result["resumed"] == result["whole"]
        assert_close(result["losses"], losses, rtol=1e-4, atol=1e-5)
        for name, parameter in alone.named_parameters():
            # The gradient of the last of three updates, each summed over the processes in another order.
            assert_close(result[name], parameter.grad, rtol=1e-3, atol=1e-6, msg=name)


def test_it_learns_to_reverse(examples, make_model):
    model = make_model()
    config = TrainingConfig(num_steps=150, micro_batch_tokens=200, warmup_steps=10, learning_rate=2e-2)
    losses = Trainer(model, examples, config).run()
    assert losses[0] > 1.5  # ln 11 is 2.4
    assert sum(losses[-10:]) / 10 < 0.5 * losses[0]


def test_training_takes_numbers_close_to_zero_for_zero(examples, make_model):
    model, products = make_model(), []
    model.register_forward_pre_hook(lambda *_: products.append((torch.full((1,), 1e-40) * 1.0).item()))
    Trainer(model, examples, TrainingConfig(num_steps=2, micro_batch_tokens=70)).run()
    assert products == [0.0, 0.0] or not torch.set_flush_denormal(False)
    assert (torch.full((1,), 1e-40) * 1.0).item() > 0


def test_a_run_by_cpu_seconds_stops_when_they_are_over(examples, make_model, monkeypatch):
    clock = itertools.count(100.0, 0.125)  # as if an update took an eighth of a second, on any machine
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    trainer = Trainer(make_model(), examples, TrainingConfig(cpu_seconds=0.5, micro_batch_tokens=70))
    assert len(trainer.run()) == 4
    assert trainer.progress.seconds == 0.5


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([], "examples: expected at least one pair"),
        ([([5], [BOS, 5, EOS])], r"examples\[0\]: expected a source that ends with EOS, got \[5\]"),
        ([([5, EOS], [5, EOS])], r"examples\[0\]: expected a target from BOS to EOS"),
    ],
)
def test_bad_examples(bad, message, make_model):
    with pytest.raises(ValueError, match=message):
        Trainer(make_model(), bad, TrainingConfig(num_steps=1))


def test_several_processes_cannot_stop_by_their_own_clocks(examples, make_model):
    process = Process(rank=0, world_size=2, device=torch.device("cpu"))
    with pytest.raises(ValueError, match="num_steps: expected a number"):
        Trainer(make_model(), examples, TrainingConfig(cpu_seconds=1.0), process)
