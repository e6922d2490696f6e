"""Chapter 08: rotation beyond the length for which SmolLM2 was trained, 8,192 tokens, with its base and a larger one.

Two questions. How far away can a text stand and still be copied? Positions are ours to choose, so a text is read, then
many positions are skipped, and it is read again: only the distance changes. And what happens to a text that is really
longer? It is read in pieces with kept keys.
"""

import torch
from torch import Tensor

from experiments.real_models.reading import START, losses, plain_english, smollm2
from transformer_course.data.shakespeare import shakespeare_text

LENGTH = 96  # tokens of the text that is read twice
SKIPPED = (0, 1_000, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 16_000, 24_000, 32_000, 64_000)
BASES = (100_000.0, 400_000.0, 1_600_000.0)
LONG, PIECE, BINS = 9_729, 512, 512


def run() -> dict:
    """Read a text twice, with positions skipped in between."""
    model, text = smollm2().model, plain_english(LENGTH + 1)
    tokens = torch.cat([text, text[:, 1:]], dim=1)  # the text twice
    later = plain_english(2 * LENGTH + 1)[:, LENGTH + 1 :]
    control = torch.cat([text[:, :1], later, text[:, 1:]], dim=1)  # another text before
    rows = []
    try:
        for base in BASES:
            for block in model.blocks:
                block.base = base
            for skipped in SKIPPED:
                for kind, each in (("the same text", tokens), ("another text", control)):
                    second = losses(with_gap(each, skipped), each)[0, LENGTH:]
                    rows.append({"base": base, "skipped": skipped, "before": kind, "loss": second.mean().item()})
    finally:
        for block in model.blocks:
            block.base = model.sizes.base
    return {"length": LENGTH, "rows": rows}


def with_gap(tokens: Tensor, skipped: int) -> Tensor:
    """Read ``START`` and two texts, the second of which stands ``skipped`` positions further on."""
    places = torch.arange(tokens.shape[1])
    places[LENGTH + 1 :] += skipped
    model = smollm2().model
    x = model.token(tokens)
    mask = torch.ones(len(places), len(places), dtype=torch.bool).tril()
    with torch.inference_mode():
        for block in model.blocks:
            x = block(x, mask, places)
        return model.output(model.norm(x))


def run_long() -> dict:
    """Read Shakespeare in one piece of more tokens than the model was trained for."""
    model = smollm2().model
    ids = [START, *smollm2().text.encode(shakespeare_text()[:60_000])][:LONG]
    rows = []
    try:
        for base in BASES[:2]:
            for block in model.blocks:
                block.base = base
            rows.append({"base": base, "losses": by_position(torch.tensor([ids]))})
    finally:
        for block in model.blocks:
            block.base = model.sizes.base
    return {"length": len(ids), "bin": BINS, "rows": rows}


@torch.inference_mode()
def by_position(tokens: Tensor) -> list[float]:
    """Give the mean loss of each ``BINS`` tokens; keys and values are kept, so that no square of scores is."""
    from transformer_course.published.modern_language_model import modern_block_step

    model, caches, found = smollm2().model, [None] * 30, []
    for start in range(0, tokens.shape[1] - 1, PIECE):
        x = model.token(tokens[:, start : start + PIECE])
        for layer, block in enumerate(model.blocks):
            x, caches[layer] = modern_block_step(block, x, caches[layer])
        # The last token of a piece is asked for the first one of the next.
        logits, targets = model.output(model.norm(x))[0], tokens[0, start + 1 : start + PIECE + 1]
        found.append(torch.nn.functional.cross_entropy(logits[: len(targets)], targets, reduction="none"))
    each = torch.cat(found)
    return [part.mean().item() for part in each.split(BINS)]
