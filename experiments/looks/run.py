"""Where the small translators of chapter 03 look, and if they need to: `python -m experiments.looks`.

Three seeds each of three models in Luong's order and of Bahdanau's learn the small language. Kept of each run: what it
translates, how its map agrees with the gold links, what it predicts with other weights than its own, and its map of
the two sentences that the chapter draws.
"""

import argparse
import random
from functools import partial

import torch
from torch import Tensor, nn
from tqdm import tqdm

from experiments.looks.scored_attention import ScoredTranslator, train_small
from experiments.lookups.small_measures import (
    looks_of_articles,
    other_looks,
    share_on_gold,
    share_translated,
    word_maps,
    words_right,
)
from experiments.results import Results
from transformer_course.data.sentences import SentencePair
from transformer_course.data.toy_grammar import ENGLISH, FRENCH, as_tensors, draw_phrase_pair
from transformer_course.inside_attention import head_alignment_error
from transformer_course.training.ladder.gru_attention import BahdanauTranslator

SEEDS, UPDATES, RATE, NUM_TEST, NUM_TRAIN = (0, 1, 2), 140, 0.016, 200, 3000
WIDTH = {"dot": 23, "general": 20, "concat": 20}  # of embeddings
SIZES = len(ENGLISH), len(FRENCH)
BUILD = {  # one h_j, 2 · 20 wide, and g are equally wide here
    score: partial(ScoredTranslator, score, *SIZES, d_embedding=width, d_hidden=40) for score, width in WIDTH.items()
} | {"Bahdanau": partial(BahdanauTranslator, *SIZES, d_embedding=21, d_encoder=16, d_hidden=36, d_attention=20)}
SHUFFLED, NUM_SHUFFLES = "its own, shuffled", 10
SETTINGS = {"seeds": SEEDS, "updates": UPDATES, "rate": RATE, "widths": WIDTH, "test": NUM_TEST, "train": NUM_TRAIN}
SETTINGS |= {"shuffles": NUM_SHUFFLES}


def sentences() -> tuple[list[SentencePair], list[SentencePair]]:
    """Draw the sentences to test on, and those to learn from."""
    rng = random.Random(0)
    test = [draw_phrase_pair(rng) for _ in range(NUM_TEST)]
    return test, [draw_phrase_pair(rng) for _ in range(NUM_TRAIN)]


def to_draw(test: list[SentencePair]) -> tuple[int, int]:
    """Choose the two sentences that are drawn: the first two of seven words with a feminine article."""
    first, second, *_ = (i for i, pair in enumerate(test) if len(pair.source) == 7 and "la" in pair.target)
    return first, second


def train(name: str, seed: int, supply: tuple[Tensor, Tensor]) -> nn.Module:
    """Train one translator; the seed decides its first weights and the order of the sentences."""
    torch.manual_seed(seed)
    return train_small(BUILD[name](), *supply, UPDATES, RATE)


def measure(model: nn.Module, test: list[SentencePair]) -> dict:
    """Say what a translator gets right, and where it looks."""
    maps, of_words_read = word_maps(model, test), word_maps(model, test, shift=1)
    gold = [pair.alignment for pair in test]
    on_eos = torch.cat([1 - m[0, 0].sum(dim=-1) for m in maps])  # (target words,)
    on_word = torch.cat([m[0, 0].amax(dim=-1) for m in maps])
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "right": share_translated(model, test),
        "error": head_alignment_error(maps, gold).item(),
        "error, rows of the words read": head_alignment_error(of_words_read, gold).item(),
        "weight on eos": on_eos.mean().item(),
        "highest on eos": (on_eos > on_word).double().mean().item(),
        "articles on gold": share_on_gold(maps, test, True),
        "others on gold": share_on_gold(maps, test, False),
        "articles look at": looks_of_articles(maps, test),
        "maps": [_rounded(maps[i]) for i in to_draw(test)],
        "maps, rows of the words read": [_rounded(of_words_read[i]) for i in to_draw(test)],
    }


def _rounded(weights: Tensor) -> list[list[float]]:
    return [[round(x, 3) for x in row] for row in weights[0, 0].tolist()]


@torch.no_grad()
def made_to_look(model: ScoredTranslator, stranger: ScoredTranslator, test: list[SentencePair]) -> dict:
    """Count the articles and the other words that a model predicts with weights that are not its own.

    Args:
        model: whose weights are replaced.
        stranger: the same with another seed, whose weights are tried too.
        test: sentences with their translations, which the decoder reads.

    Returns:
        For each way to look the share of articles and of other words; for shuffled weights the mean of some shuffles.
    """
    source, target = as_tensors(test)
    weights, others = (m.attention_weights(source, target[:, :-1]) for m in (model, stranger))
    generator = torch.Generator().manual_seed(0)
    ways = other_looks(weights, test, generator) | {"those of another seed": others}
    found = {way: words_right(model, test, looks) for way, looks in ways.items()}
    shuffles = [found[SHUFFLED]]
    for _ in range(NUM_SHUFFLES - 1):
        shuffles.append(words_right(model, test, other_looks(weights, test, generator)[SHUFFLED]))
    return found | {SHUFFLED: [sum(shares) / NUM_SHUFFLES for shares in zip(*shuffles, strict=True)]}


def main() -> None:
    """Run what is missing in the result file."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    torch.set_num_threads(1)
    results = Results("looks", SETTINGS)
    test, known = sentences()
    supply = as_tensors(known)
    for name in tqdm(BUILD):
        if all(results.has(model=name, seed=seed) for seed in SEEDS):
            continue
        models = [train(name, seed, supply) for seed in SEEDS]
        for seed, model in zip(SEEDS, models, strict=True):
            found = measure(model, test)
            if isinstance(model, ScoredTranslator):
                found["made to look"] = made_to_look(model, models[(seed + 1) % len(SEEDS)], test)
            if not results.has(model=name, seed=seed):
                results.add(model=name, seed=seed, **found)


if __name__ == "__main__":
    main()
