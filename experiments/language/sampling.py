"""What temperature, top-k and top-p do to the texts of one language model of Shakespeare: chapter 13."""

from dataclasses import dataclass, field

import torch

from transformer_course.data.shakespeare import Shakespeare
from transformer_course.generation.cached_generation import generate_cached
from transformer_course.language_model import LanguageModel
from transformer_course.training.language import nats_per_token

PROMPT, BEGUN = "First Citizen:\n", "First Citizen:\nTh"
NUM_TEXTS, LENGTH, LONG = 400, 48, 300
HOW = {
    "temperature 0": {"temperature": 0.0},
    "temperature 0.3": {"temperature": 0.3},
    "temperature 1": {"temperature": 1.0},
    "temperature 1, top-k 5": {"temperature": 1.0, "top_k": 5},
    "temperature 1, top-p 0.9": {"temperature": 1.0, "top_p": 0.9},
    "temperature 1.5": {"temperature": 1.5},
}


@dataclass
class Sampled:
    """What one model writes.

    Args:
        nats: a character of the new text, in windows of 64.
        next: the probability of each character after ``BEGUN``, from the most probable on.
        texts: for each way to sample the first text after ``PROMPT``.
        known: for each way the share of whole words that stand in the training text, in all texts.
        different: for each way the number of different texts.
        long: a longer text at temperature 0.
    """

    nats: float
    next: list[tuple[str, float]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    known: dict[str, float] = field(default_factory=dict)
    different: dict[str, int] = field(default_factory=dict)
    long: str = ""


def words_of(text: str) -> list[str]:
    """Split at everything that is no letter.

    >>> words_of("O, 'tis he!")
    ['o', 'tis', 'he']
    """
    return "".join(c if c.isalpha() else " " for c in text).lower().split()


@torch.no_grad()
def sample(model: LanguageModel, data: Shakespeare) -> Sampled:
    """Write with a trained model in every way of ``HOW``."""
    found = Sampled(nats_per_token(model, data.validation, model.max_length))
    model.eval()
    after = model(data.characters.encode(BEGUN).unsqueeze(0))[0, -1].softmax(dim=-1)
    probabilities, order = after.sort(descending=True)
    symbols = (data.characters.symbols[i] for i in order.tolist())
    found.next = [(symbol, round(p, 6)) for symbol, p in zip(symbols, probabilities.tolist(), strict=True)]
    prompt = data.characters.encode(PROMPT).unsqueeze(0)
    known = set(words_of(data.characters.decode(data.train)))
    skipped = len(words_of(PROMPT))
    for name, how in HOW.items():
        generator = torch.Generator().manual_seed(0)
        written = generate_cached(model, prompt.expand(NUM_TEXTS, -1), LENGTH, **how, generator=generator)
        texts = [data.characters.decode(text) for text in written]
        words = [word for text in texts for word in words_of(text)[skipped:-1]]  # the last one may be cut off
        found.texts[name] = texts[0][len(PROMPT) :]
        found.known[name] = sum(word in known for word in words) / max(1, len(words))
        found.different[name] = len(set(texts))
    found.long = data.characters.decode(generate_cached(model, prompt, LONG, temperature=0.0)[0])
    return found
