"""Chapter 11: greedy text, temperature, nucleus and beam, in a text that a person can judge."""

import torch

from experiments.real_models.reading import START, smollm2
from transformer_course.language_model import sample_token
from transformer_course.published.modern_language_model import ModernLanguageModel

PROMPTS = ("The old lighthouse keeper looked at the sea and", "My grandmother always said that")
NUM_TOKENS, BEAMS, SEEDS = 80, 4, (0, 1)
WAYS = {
    "greedy": {"temperature": 0.0},
    "temperature 0.7": {"temperature": 0.7},
    "temperature 1": {"temperature": 1.0},
    "temperature 1.5": {"temperature": 1.5},
    "nucleus 0.9": {"temperature": 1.0, "top_p": 0.9},
}


@torch.inference_mode()
def run() -> dict:
    """Write in each way."""
    model, text = smollm2().model, smollm2().text
    rows = []
    for prompt in PROMPTS:
        start = [START, *text.encode(prompt)]
        for way, how in WAYS.items():
            for seed in SEEDS if how["temperature"] else (None,):
                found, sure = drawn(model, start, seed, **how)
                rows.append(row(prompt, way, seed, found, sure))
        found, sure = beam(model, start)
        rows.append(row(prompt, f"beam of {BEAMS}", None, found, sure))
    return {"num_tokens": NUM_TOKENS, "rows": rows}


def row(prompt: str, way: str, seed: int | None, found: list[int], sure: float) -> dict:
    """Describe a text: how probable it is to the model, a token, and which share of it stood there before."""
    return {"prompt": prompt, "way": way, "seed": seed, "text": smollm2().text.decode(found),
            "log_probability": sure, "repeated": repeated(found)}  # fmt: skip


def repeated(tokens: list[int], number: int = 4) -> float:
    """Give the share of all sequences of four tokens that have stood in the text before."""
    groups = [tuple(tokens[i : i + number]) for i in range(len(tokens) - number + 1)]
    return 1 - len(set(groups)) / len(groups)


def drawn(model: ModernLanguageModel, start: list[int], seed: int | None, **how) -> tuple[list[int], float]:
    """Write a text, and give its mean log probability at temperature 1, with nothing dropped."""
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    logits, caches = model.read(torch.tensor([start]))
    found, total = [], 0.0
    for _ in range(NUM_TOKENS):
        token = sample_token(logits, generator=generator, **how)
        total += logits.log_softmax(-1)[0, token].item()
        found.append(int(token))
        logits, caches = model.read(token[:, None], caches)
    return found, total / NUM_TOKENS


def beam(model: ModernLanguageModel, start: list[int]) -> tuple[list[int], float]:
    """Search with a beam; no text ends, as none of the others is made to."""
    logits, caches = model.read(torch.tensor([start]))
    caches = [(key.expand(BEAMS, -1, -1, -1), value.expand(BEAMS, -1, -1, -1)) for key, value in caches]
    totals, first = logits.log_softmax(-1)[0].topk(BEAMS)
    texts = first[:, None]
    for _ in range(NUM_TOKENS - 1):
        logits, caches = model.read(texts[:, -1:], caches)
        all_totals = totals[:, None] + logits.log_softmax(-1)  # (beams, vocab_size)
        totals, places = all_totals.flatten().topk(BEAMS)
        kept, tokens = places // logits.shape[-1], places % logits.shape[-1]
        texts = torch.cat([texts[kept], tokens[:, None]], dim=1)
        caches = [(key[kept], value[kept]) for key, value in caches]
    return texts[0].tolist(), totals[0].item() / NUM_TOKENS
