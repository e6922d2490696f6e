"""The small models of chapters 03 and 04 that need minutes: `python -m experiments.lookups`.

"uniform" and "general" are translators of the small language of chapter 03 on sentences of 1 to 4 noun phrases: the
first gives every source word the same weight. "attention" and "recurrent" look a name up in a dictionary (chapter 04).
"""

import argparse
import random

import torch

from experiments.looks.scored_attention import ScoredTranslator, train_small
from experiments.lookups.set_lookup import AttentionLookup, RecurrentLookup, measure_lookup, train_lookup
from experiments.results import Results
from transformer_course.data.toy_grammar import ENGLISH, FRENCH, as_tensors, draw_phrase_pair
from transformer_course.rnn_encoder_decoder import greedy_decode

SEEDS = (0, 1, 2)
TRANSLATION = {"phrases": 4, "updates": 420, "learning_rate": 0.016, "num_train": 6000, "num_test": 400}
WIDTHS = {"uniform": 23, "general": 20}
LOOKUP = {"sizes": [6, 12], "updates": [600, 3000]}
LOOKUPS = {"attention": AttentionLookup, "recurrent": RecurrentLookup}


def translate(score: str, seed: int) -> dict:
    """Train one translator and count the sentences without a mistake, by their number of noun phrases."""
    rng = random.Random(0)
    test, supply = ([draw_phrase_pair(rng, 4) for _ in range(TRANSLATION[name])] for name in ("num_test", "num_train"))
    torch.manual_seed(seed)
    model = ScoredTranslator(score, len(ENGLISH), len(FRENCH), WIDTHS[score], 40)
    train_small(model, *as_tensors(supply), TRANSLATION["updates"], TRANSLATION["learning_rate"])
    with torch.no_grad():
        source, _ = as_tensors(test)
        written = greedy_decode(model.decode_step, model.start_decoding(source), len(test), 20)
    right = {phrases: [] for phrases in range(1, 5)}
    for row, pair in zip(written.tolist(), test, strict=True):
        right[pair.source.count("the")].append(tuple(FRENCH.decode(row)) == pair.target)
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "exact_match_by_phrases": {str(phrases): sum(hits) / len(hits) for phrases, hits in right.items()},
    }


def look_up(name: str, seed: int, updates: int) -> dict:
    """Train one model that answers from a dictionary, and measure it on those of 6 and of 12 entries."""
    torch.manual_seed(seed)
    model = train_lookup(LOOKUPS[name](), updates)
    measured = {
        str(size): dict(zip(("right", "changed"), measure_lookup(model, size), strict=True)) for size in LOOKUP["sizes"]
    }
    return {"parameters": sum(p.numel() for p in model.parameters()), "sizes": measured}


def main() -> None:
    """Run what is missing in the result file."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    torch.set_num_threads(1)
    results = Results("lookups", {"translation": TRANSLATION, "widths": WIDTHS, "lookup": LOOKUP})
    for seed in SEEDS:
        for score in WIDTHS:
            if not results.has(model=score, seed=seed):
                results.add(model=score, seed=seed, **translate(score, seed))
        for name in LOOKUPS:
            for updates in LOOKUP["updates"]:
                if not results.has(model=name, seed=seed, updates=updates):
                    results.add(model=name, seed=seed, updates=updates, **look_up(name, seed, updates))


if __name__ == "__main__":
    main()
