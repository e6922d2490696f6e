"""The heads of three small translators that differ in their seed: `python -m experiments.inside_seeds`.

The model and the data are those of chapter 12; seed 0 is the one that the chapter trains. About two minutes of CPU time
for each. Sentences for patching come from another corpus of the same language and are in no training set.
"""

import torch

from experiments.inside_seeds import head_study
from experiments.inside_seeds.small_translators import (
    LONGEST,
    SETTINGS,
    SIZES,
    SmallTranslator,
    train_small_translator,
)
from experiments.results import Results
from transformer_course.common.tokens import BOS, EOS
from transformer_course.data.corpus import load_corpus
from transformer_course.data.sentences import SentencePair
from transformer_course.inside_attention import head_alignment_error
from transformer_course.interpret.null_model import random_attention

SEEDS, NUM_TRAIN, NUM_STEPS, NUM_PATCHED, NUM_SEARCHED = (0, 1, 2), 24_000, 500, 60, 12
OF_RUNS = {
    **SETTINGS,
    **SIZES,
    "num_train": NUM_TRAIN,
    "num_steps": NUM_STEPS,
    "num_test": 400,
    "longest": LONGEST,
    "num_patched": NUM_PATCHED,
}
SINKS = {"encoder": ("EOS", -1), "cross": ("EOS", -1), "decoder self": ("BOS", 0)}


def unseen_pairs(small: SmallTranslator) -> list[SentencePair]:
    """Return short sentences of another corpus that the model has not been trained on, all words known."""
    known = {pair.source for pair in small.train}
    fresh = load_corpus(num_train=NUM_TRAIN, num_validation=0, num_test=0, seed=1).train
    return [
        pair
        for pair in fresh
        if len(pair.source) <= LONGEST and pair.source not in known and set(pair.source) <= set(small.english.words)
    ]


def translator_and_pairs(seed: int) -> tuple[SmallTranslator, list]:
    """Train the translator of a seed, and find pairs of sentences between which it changes its mind."""
    small = train_small_translator(NUM_TRAIN, NUM_STEPS, seed)
    candidates = head_study.minimal_pairs(unseen_pairs(small), 5 * NUM_PATCHED)
    return small, head_study.minds_changed(small.model, candidates, NUM_PATCHED, small.english, small.french)


def of_kind(small: SmallTranslator, kind: str, maps: list, before: list, patched: list) -> dict:
    """Measure the heads of one kind of attention."""
    model, english, french, test = small.model, small.english, small.french, small.test
    sentences = head_study.in_batches(test, english, french)
    own, untrained = ([each[kind] for each in some] for some in (maps, before))
    confidence = head_study.own_confidence if kind == "decoder self" else head_study.confidence
    gaps = []  # for each row how far the share and the weight of a key are apart at most
    for pair in test:
        weights, shares, _ = head_study.contributions(model, kind, pair, english, french)
        first = 1 if kind == "decoder self" else 0
        gaps.append((weights - shares)[:, first:].abs().amax(dim=-1).flatten())
    result = {
        "entropy": head_study.mean_over_sentences(own, head_study.width).tolist(),
        "entropy untrained": head_study.mean_over_sentences(untrained, head_study.width).tolist(),
        "confidence": head_study.mean_over_sentences(own, confidence).tolist(),
        "silenced": head_study.silencing(model, kind, sentences).tolist(),
        "mean": head_study.mean_ablation(model, kind, sentences).tolist(),
        "patched": head_study.patching(model, kind, patched, english, french).tolist(),
        "share is not weight": torch.cat(gaps).quantile(torch.tensor([0.5, 0.9])).tolist(),
    }
    key, column = SINKS[kind]
    found = head_study.sink(model, kind, column, test, english, french).tolist()
    result["sink"] = {"key": key} | dict(zip(("weight", "even", "share", "length"), found, strict=True))
    return result


def aligning(small: SmallTranslator, maps: list, before: list) -> dict:
    """Score the heads of cross-attention as aligners, and their rivals: untrained heads, random maps, the diagonal."""
    test, links = small.test, [set(pair.alignment) for pair in small.test]
    crosses, untrained = ([each["cross"] for each in some] for some in (maps, before))
    generator = torch.Generator().manual_seed(0)
    random = [
        random_attention(8, len(pair.target) + 1, len(pair.source) + 1, generator=generator)[None] for pair in test
    ]
    drawn = [head_study.diagonal(len(pair.target), len(pair.source)) for pair in test]
    result = {
        "to be written": head_study.alignment_errors(crosses, test, 0).tolist(),
        "just read": head_study.alignment_errors(crosses, test, 1).tolist(),
        "untrained": head_study.alignment_errors(untrained, test, 0).tolist(),
        "random": head_study.alignment_errors(random, test, 0).tolist(),
        "diagonal": head_alignment_error(drawn, links).item(),
    }
    for name, some in (("trained", crosses), ("untrained", untrained), ("random", random)):
        shares, number = head_study.found_off_the_diagonal(some, test)
        result[f"off the diagonal, {name}"] = shares.tolist()
    return result | {"words off the diagonal": number}


def other_weights(small: SmallTranslator) -> dict:
    """Search for distant weights that leave the next words as they are, position by position."""
    for parameter in small.model.parameters():
        parameter.requires_grad_(False)
    generator, rows = torch.Generator().manual_seed(0), []
    for pair in small.test[:NUM_SEARCHED]:
        source = torch.tensor([[*small.english.encode(pair.source), EOS]])
        target = torch.tensor([[BOS, *small.french.encode(pair.target)]])
        rows.append(head_study.distant_weights(small.model, source, target, generator=generator))
    names = ("divergence", "moved at random", "divergence at random")
    return {name: torch.cat(parts).tolist() for name, parts in zip(names, zip(*rows, strict=True), strict=True)}


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("inside_seeds", OF_RUNS)
    for seed in SEEDS:
        if results.has(seed=seed):
            continue
        small, patched = translator_and_pairs(seed)
        words = small.english, small.french
        maps = [head_study.maps_of(small.model, pair, *words) for pair in small.test]
        before = [head_study.maps_of(small.untrained, pair, *words) for pair in small.test]
        sentences = head_study.in_batches(small.test, *words)
        run = {"seed": seed, "loss": head_study.nats_per_token(small.model, sentences)}
        run |= {kind: of_kind(small, kind, maps, before, patched) for kind in head_study.KINDS}
        run |= aligning(small, maps, before)
        run["other weights"] = other_weights(small)
        example = [
            [" ".join(each.source), each.target[place]] for one, other, place in patched[:1] for each in (one, other)
        ]
        results.add(**run, patched_example=example)


if __name__ == "__main__":
    main()
