"""Chapters 05, 09 and 12: scores, softmax, the stream, sinks and a first reading of each layer, in one pass."""

import torch
from torch import Tensor

from experiments.real_models.reading import fresh, losses, plain_english, read_inside, smollm2

LENGTH, SEED = 192, 0


@torch.inference_mode()
def run() -> dict:
    """Look into SmolLM2 and into a model of its sizes with fresh weights, which read the same text."""
    trained = smollm2().model
    tokens = plain_english(LENGTH)
    return {
        "length": LENGTH,
        "seed": SEED,
        "trained": looked(trained, tokens, lens=True),
        "fresh": looked(fresh(trained.sizes, SEED), tokens),
        "without start": sink(trained, tokens[:, 1:]),
    }


def looked(model, tokens: Tensor, lens: bool = False) -> dict:
    """Say for each layer what is to be seen."""
    rows = []
    seen = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool).tril()

    def look(layer: int, parts: dict[str, Tensor]) -> None:
        scores, weights = parts["scores"][0], parts["weights"][0]  # (heads, length, length)
        late = weights[:, 32:]  # queries that have at least 33 keys to choose from
        norm = {name: torch.linalg.vector_norm(parts[name][0], dim=-1) for name in ("stream", "attention", "network")}
        row = {
            "spread": [scores[head][seen].std().item() for head in range(len(scores))],
            "largest": late.amax(-1).mean(-1).tolist(),
            "trace": (1 - late.square().sum(-1)).mean(-1).tolist(),  # of the Jacobian of softmax
            "first": late[:, :, 0].mean(-1).tolist(),
            "stream": norm["stream"][1:].mean().item(),
            "stream of the first": norm["stream"][0].item(),
            "attention": norm["attention"][1:].mean().item(),
            "network": norm["network"][1:].mean().item(),
        }
        if lens:
            row["lens"] = of_lens(model, parts["stream"], tokens)
        rows.append(row)

    logits = read_inside(model, tokens, look)
    return {"loss": losses(logits, tokens).mean().item(), "layers": rows}


def of_lens(model, stream: Tensor, tokens: Tensor) -> dict:
    """Read the next token off the stream before a layer, as if it were the last one."""
    logits = model.output(model.norm(stream))
    right = (logits[:, :-1].argmax(-1) == tokens[:, 1:]).float().mean().item()
    return {"loss": losses(logits, tokens).mean().item(), "right": right}


def sink(model, tokens: Tensor) -> dict:
    """Say how much weight the first token has when it is an ordinary word."""
    first = []
    read_inside(model, tokens, lambda layer, parts: first.append(parts["weights"][0, :, 32:, 0].mean().item()))
    return {"first": first}
