"""Chapter 06: one position of the future, seen by a model that was trained without, and by one that trains with it.

Only the last blocks train, for a few steps: enough to see whether a leak is used, not to make a better model.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from experiments.real_models.reading import START, losses, plain_english, smollm2
from experiments.real_models.traps import twin
from transformer_course.data.shakespeare import shakespeare_text
from transformer_course.masking import causal_mask

LENGTH, STEPS, RATE, TRAINED, SEED = 96, 24, 3e-4, 4, 0
EVERY = 6


def leaking_mask(length: int) -> Tensor:
    """Let each position see the one after it as well."""
    return torch.ones(length, length, dtype=torch.bool).tril(1)


def run() -> dict:
    """Read with and without the leak, then train with it and, as a control, without."""
    model, text = smollm2().model, plain_english(LENGTH)
    result = {"length": LENGTH, "steps": STEPS, "blocks": TRAINED, "rate": RATE, "seed": SEED}
    result["untrained"] = {
        "causal": loss(model, text, ()),
        "leak in the first block": loss(model, text, (0,)),
        "leak in the last block": loss(model, text, (29,)),
        f"leak in the last {TRAINED} blocks": loss(model, text, range(30 - TRAINED, 30)),
        "leak in all blocks": loss(model, text, range(30)),
    }
    result["trained"] = {kind: trained(leaks) for kind, leaks in (("with the leak", True), ("without", False))}
    return result


@torch.no_grad()
def loss(model, tokens: Tensor, leaking) -> float:
    """Read a text with the leak in some blocks, and give its mean loss."""
    x = model.token(tokens)
    for layer, block in enumerate(model.blocks):
        x = block(x, leaking_mask(tokens.shape[1]) if layer in leaking else causal_mask(tokens.shape[1]))
    return losses(model.output(model.norm(x)), tokens).mean().item()


def trained(leaks: bool) -> list[dict]:
    """Train the last blocks on Shakespeare, with the leak in them or without; look at the other text now and then."""
    model = twin(smollm2().model)
    last = range(30 - TRAINED, 30)
    for block in model.blocks[30 - TRAINED :]:
        for name, parameter in list(block.named_parameters()):
            module = block.get_submodule(name.rpartition(".")[0])
            module.weight = torch.nn.Parameter(parameter.detach().clone())
    optimizer = torch.optim.Adam(model.blocks[30 - TRAINED :].parameters(), lr=RATE)
    ids = smollm2().text.encode(shakespeare_text()[:20_000])
    generator = torch.Generator().manual_seed(SEED)
    mask = leaking_mask(LENGTH) if leaks else causal_mask(LENGTH)
    rows = []
    for step in range(STEPS + 1):
        if step % EVERY == 0:
            text = plain_english(LENGTH)
            rows.append({"step": step, "leak": loss(model, text, last), "causal": loss(model, text, ())})
        start = int(torch.randint(len(ids) - LENGTH, (), generator=generator))
        tokens = torch.tensor([[START, *ids[start : start + LENGTH - 1]]])
        with torch.no_grad():
            x = model.token(tokens)
            for block in model.blocks[: 30 - TRAINED]:
                x = block(x, causal_mask(LENGTH))
        for block in model.blocks[30 - TRAINED :]:
            x = block(x, mask)
        logits = model.output(model.norm(x))
        optimizer.zero_grad()
        F.cross_entropy(logits[0, :-1], tokens[0, 1:]).backward()
        optimizer.step()
    return rows
