"""Chapter 08: rotation beyond the length for which SmolLM2 was trained, 8,192 tokens, with its base and a larger one.

How far away can a text stand and still be copied? Positions are ours to choose, so a text is read, then many positions
are skipped, and it is read again: only the distance changes. A text that is really longer has more keys too, among
which the weights are shared out; that is not measured here.
"""

import torch
from torch import Tensor

from experiments.real_models.reading import losses, plain_english, smollm2

LENGTH = 96  # tokens of the text that is read twice
SKIPPED = (0, 1_000, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 16_000, 24_000, 32_000, 64_000)
BASES = (100_000.0, 400_000.0, 1_600_000.0)


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
