"""Chapter 13: the heads of SmolLM2 that copy what followed the last time, and those that feed them.

Source: Olsson et al. (2022), "In-context Learning and Induction Heads"; Wang et al. (2023), "Interpretability in the
Wild", for patching.

Random tokens are read twice in a row: nothing but the first time says what comes in the second.
"""

import torch
from torch import Tensor

from experiments.real_models.reading import START, losses, plain_english, read_inside, smollm2
from transformer_course.language_model import induction_score

BATCH, PERIOD, SEED = 4, 40, 0
NUM_CUT, NUM_FEEDING, DRAWS = 12, 8, 6
Head = tuple[int, int]


def repeated(seed: int, first_seed: int | None = None) -> Tensor:
    """Draw texts: ``START`` and two times the same tokens, or with ``first_seed`` two halves that differ."""
    second = _draw(seed)
    first = second if first_seed is None else _draw(first_seed)
    return torch.cat([torch.full((BATCH, 1), START), first, second], dim=1)  # (batch, 1 + 2 * period)


def _draw(seed: int) -> Tensor:
    # Ordinary tokens: not the special ones, and not the rare ones at the end of the table.
    return torch.randint(300, 20_000, (BATCH, PERIOD), generator=torch.Generator().manual_seed(seed))


def run() -> dict:
    """Find, cut, patch."""
    model, tokens = smollm2().model, repeated(SEED)
    induction, previous, said = scores(tokens)
    heads = sorted(induction, key=induction.get, reverse=True)[:NUM_CUT]
    feeding = sorted(previous, key=previous.get, reverse=True)[:NUM_FEEDING]
    generator = torch.Generator().manual_seed(SEED)
    result = {
        "batch": BATCH, "period": PERIOD, "seed": SEED, "draws": DRAWS,
        "induction": [[induction[i, j] for j in range(9)] for i in range(30)],
        "previous": [[previous[i, j] for j in range(9)] for i in range(30)],
        "heads": heads, "feeding": feeding, "whole": measured(tokens, set()),
    }  # fmt: skip
    result["one by one"] = [{"head": head, **measured(tokens, {head}, plain=False)} for head in heads]
    result["together"] = [{"number": number, **measured(tokens, set(heads[:number]))} for number in (2, 4, NUM_CUT)]
    result["others together"] = [
        {"heads": sorted(others), **measured(tokens, others)}
        for others in (same_layers(heads, set(heads), generator) for _ in range(DRAWS))
    ]
    # Patching: at the places of the first half, some heads say what they say when other tokens stand there.
    other = {}
    read_inside(model, repeated(SEED, SEED + 1), lambda layer, parts: other.__setitem__(layer, parts["heads"]))
    patched = [("feeding", set(feeding))]
    patched += [("others", same_layers(feeding, {*feeding, *heads}, generator)) for _ in range(DRAWS)]
    result["patched"] = [
        {"kind": kind, "heads": sorted(chosen), **patch(tokens, other, chosen, heads)} for kind, chosen in patched
    ]
    return result


def scores(tokens: Tensor) -> tuple[dict[Head, float], dict[Head, float], dict[int, Tensor]]:
    """Score each head: how far it looks at what followed the last time, and how far at the token before."""
    induction, previous, said = {}, {}, {}

    def look(layer: int, parts: dict[str, Tensor]) -> None:
        said[layer] = parts["heads"]
        for head in range(parts["weights"].shape[1]):
            weights = parts["weights"][:, head]  # (batch, length, length)
            each = [induction_score(w, t) for w, t in zip(weights, tokens, strict=True)]
            induction[layer, head] = sum(each) / len(each)
            previous[layer, head] = weights.diagonal(-1, 1, 2)[:, 1:].mean().item()  # without the first token

    read_inside(smollm2().model, tokens, look)
    return induction, previous, said


def measured(tokens: Tensor, cut: set[Head], plain: bool = True) -> dict:
    """Give the loss in the second half, where copying helps, in the first, and on the plain text."""

    def say(layer: int, heads: Tensor) -> Tensor:
        chosen = [head for at, head in cut if at == layer]
        if chosen:
            heads = heads.clone()
            heads[:, chosen] = 0.0
        return heads

    model = smollm2().model
    each = losses(read_inside(model, tokens, say=say), tokens)  # (batch, 2 * period)
    result = {"second": each[:, PERIOD + 1 :].mean().item(), "first": each[:, :PERIOD].mean().item()}
    if plain:
        text = plain_english(160)
        result["plain"] = losses(read_inside(model, text, say=say), text).mean().item()
    return result


def same_layers(heads: list[Head], without: set[Head], generator: torch.Generator) -> set[Head]:
    """Draw as many other heads, from the same layers as far as these have others, else from the next ones."""
    chosen: set[Head] = set()
    for layer, _ in heads:
        free = [(layer, j) for j in range(9) if (layer, j) not in without | chosen]
        if not free:
            free = [(i, j) for i in (layer - 1, layer + 1) for j in range(9) if (i, j) not in without | chosen]
        chosen.add(free[int(torch.randint(len(free), (), generator=generator))])
    return chosen


def patch(tokens: Tensor, other: dict[int, Tensor], chosen: set[Head], watched: list[Head]) -> dict:
    """Let the chosen heads report on other tokens in the first half, and look what the watched heads still find."""

    def say(layer: int, heads: Tensor) -> Tensor:
        for head in [head for at, head in chosen if at == layer]:
            heads = heads.clone()
            heads[:, head, 1 : PERIOD + 1] = other[layer][:, head, 1 : PERIOD + 1]
        return heads

    found = []

    def look(layer: int, parts: dict[str, Tensor]) -> None:
        for head in [head for at, head in watched if at == layer]:
            each = [induction_score(w, t) for w, t in zip(parts["weights"][:, head], tokens, strict=True)]
            found.append(sum(each) / len(each))

    each = losses(read_inside(smollm2().model, tokens, look, say), tokens)
    return {"induction": sum(found) / len(found), "second": each[:, PERIOD + 1 :].mean().item()}
