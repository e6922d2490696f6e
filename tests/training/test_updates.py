"""The loop of a training makes the updates that one writes by hand, bit for bit."""

import pytest
import torch
from torch import nn

from transformer_course.training import updates
from transformer_course.training.updates import make_updates


def start(seed: int = 0):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    return model, torch.optim.Adam(model.parameters(), lr=0.5)


def test_updates_are_those_of_a_loop_by_hand():
    model, optimizer = start()
    losses = []
    for step in range(7):
        optimizer.param_groups[0]["lr"] = 0.1 / (step + 1)
        loss = model(10 * torch.randn(5, 3)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.3)
        optimizer.step()
        losses.append(loss.item())
    expected = torch.cat([each.detach().flatten() for each in model.parameters()])

    model, optimizer = start()
    seen = []
    found = make_updates(
        optimizer,
        lambda: model(10 * torch.randn(5, 3)).square().mean(),
        num_steps=7,
        rate_at=lambda step: 0.1 / (step + 1),
        max_grad_norm=0.3,
        after=lambda *what: seen.append(what),
    )
    assert found == losses
    assert seen == list(enumerate(losses, start=1))
    assert torch.equal(torch.cat([each.detach().flatten() for each in model.parameters()]), expected)


def test_without_a_schedule_the_optimizer_keeps_its_rate_and_the_gradient_its_length():
    weight = nn.Parameter(torch.tensor(3.0))
    losses = make_updates(torch.optim.SGD([weight], lr=0.25), weight.square, num_steps=2)
    assert losses == [9.0, 2.25]  # 3 - 0.25 * 6 = 1.5
    assert weight.item() == 0.75


def test_seconds_of_the_processor_end_it_and_the_time_of_a_watcher_does_not_count(monkeypatch):
    now, rates = [100.0], []
    monkeypatch.setattr(updates.time, "process_time", lambda: now[0])
    weight = nn.Parameter(torch.tensor(1.0))

    def loss_of_batch():
        now[0] += 3
        return weight.square()

    losses = updates.make_updates(
        torch.optim.SGD([weight], lr=0.1),
        loss_of_batch,
        cpu_seconds=10,
        rate_at=lambda seconds: rates.append(seconds) or 0.1,
        after=lambda *_: now.append(now.pop() + 50),
    )
    assert rates == [0, 3, 6, 9]
    assert len(losses) == 4


def test_one_budget_and_not_two():
    for budget in ({}, {"num_steps": 1, "cpu_seconds": 1.0}):
        with pytest.raises(ValueError, match="num_steps"):
            make_updates(torch.optim.SGD([nn.Parameter(torch.zeros(()))]), lambda: None, **budget)
