"""Sentences longer than any in training: `python -m experiments.longer`.

The Transformer of the ladder, in the ladder's time, with its settings and its training pairs. What is varied, one thing
at a time:

- "as in the ladder": nothing.
- "positions shifted": the positions of a training batch start at a random number and not at 0. Late positions are
  trained, longer sentences are not.
- "pairs joined": in every pass over the data half of the pairs are joined by twos, others each time. Late positions
  are trained, and longer sequences.
- "pairs joined, updates counted": the same, for a number of updates instead of a time. A machine that has much else to
  do makes fewer updates in the CPU seconds of the ladder; this run does not depend on that.
- "pairs joined later": as "pairs joined", after one pass over the data with single pairs.

What was chosen was chosen on longer sentences from another seed of the language's generator ("longer_validation"), not
on the split "longer". Beside exact match every run keeps a diagnosis: how far the attention and the next word are right
at each position of the translation, what the trained model makes of short sentences whose positions start late, and of
longer ones when its attention is sharpened.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

import torch
from tqdm import tqdm

from experiments.ladder import run as ladder
from experiments.longer.joining import JoiningTrainer, ShiftingTrainer, positions_from
from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.common.tokens import BOS, EOS
from transformer_course.data.corpus import load_corpus
from transformer_course.data.sentences import SentencePair
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.training.config import TrainingConfig
from transformer_course.training.drawing import attention_maps
from transformer_course.training.evaluation import score_translations
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator, build_translator

LARGEST_START, SHARE_JOINED = 16, 0.5
TIME = {"cpu_seconds": ladder.CPU_SECONDS}
# About what the Transformer of `results/ladder.json` made in that time, on a machine with little else to do.
UPDATES = {"num_steps": 9_600}
TRAINERS = {
    "as in the ladder": (Trainer, {}, TIME),
    "positions shifted": (ShiftingTrainer, {"largest": LARGEST_START}, TIME),
    "pairs joined": (JoiningTrainer, {"share": SHARE_JOINED}, TIME),
    "pairs joined, updates counted": (JoiningTrainer, {"share": SHARE_JOINED}, UPDATES),
    "pairs joined later": (JoiningTrainer, {"share": SHARE_JOINED, "num_plain": 1}, TIME),
}
ONE_SEED = ("pairs joined later",)  # a try that brought nothing
NUM_DIAGNOSED, BIN = 250, 5
SHORT, STARTS = 10, (0, 2, 5, 10, 15, 20)
FACTORS = (1.1, 1.2, 1.3)
SPLITS = ("validation", "longer_validation", "test", "longer", "composition")


def longer_validation(language: Language, number: int = 500) -> list[SentencePair]:
    """Generate sentences of 21 to 30 words that are in no split of the language."""
    known = {pair.source for pairs in language.splits.values() for pair in pairs}
    drawn = load_corpus(num_train=0, num_validation=0, num_test=number, seed=1).longer
    return [pair for pair in drawn if pair.source not in known]


def train(name: str, seed: int, language: Language) -> tuple[Translator, Trainer]:
    """Train the ladder's Transformer in one of the ways of `TRAINERS`."""
    seed_everything(seed)
    translator = build_translator("transformer", language.source_vocabulary, language.target_vocabulary)
    kind, options, budget = TRAINERS[name]
    config = TrainingConfig(**budget, seed=seed, **ladder.SETTINGS["transformer"])
    trainer = kind(translator.model, language.examples(), config, **options)
    trainer.run()
    translator.model.eval()
    return translator, trainer


def measure(translator: Translator, splits: dict[str, Sequence[SentencePair]]) -> dict:
    """Translate all splits, and diagnose."""
    result, written = {}, {}
    for split in SPLITS:
        pairs = splits[split]
        written[split] = translator.translate_all([pair.source for pair in pairs])
        score = score_translations(pairs, written[split])
        by_length = {f"{low}-{high}": value for (low, high), value in score.exact_match_by_length.items()}
        result[split] = {"exact_match": score.exact_match, "bleu": score.bleu, "exact_match_by_length": by_length}
    diagnosed = ("validation", "longer_validation")
    result["by_position"] = {split: by_position(translator, splits[split][:NUM_DIAGNOSED]) for split in diagnosed}
    result["mistakes"] = mistakes(splits["longer_validation"], written["longer_validation"])
    result["short_sentences_late"] = short_sentences_late(translator, splits["validation"])
    result["sharpened"] = sharpened(translator, splits["longer_validation"])
    return result


def by_position(translator: Translator, pairs: Sequence[SentencePair]) -> dict[str, dict[str, float]]:
    """Say how right the model is at each position, while it is given the right words before.

    Returns:
        For every five positions of the target: the share of next words that are right; the share of words with a gold
        link at which the last block's cross-attention, the mean of its heads, is highest at a source word with such a
        link; the entropy of that mean in nats; and how many words there are.
    """
    rows: dict[int, list[tuple[float, float | None, float]]] = {}
    for pair in pairs:
        ids = [BOS, *translator.target_vocabulary.encode(pair.target)]
        with torch.no_grad():
            logits = translator.model(translator.source([pair.source]), torch.tensor([ids]))[0]  # (m + 1, vocab_size)
        right = (logits.argmax(dim=-1) == torch.tensor([*ids[1:], EOS])).tolist()
        weights = attention_maps(translator, pair.source, pair.target)[-1].mean(dim=0)  # (m + 1, n + 1)
        entropy = torch.special.entr(weights).sum(dim=-1).tolist()
        for position, peak in enumerate(weights.argmax(dim=-1).tolist()):
            links = {j for i, j in pair.alignment if i == position}
            there = float(peak in links) if links else None
            rows.setdefault(position // BIN * BIN, []).append((float(right[position]), there, entropy[position]))
    result = {}
    for start, row in sorted(rows.items()):
        words, peaks, entropies = zip(*row, strict=True)
        with_link = [peak for peak in peaks if peak is not None]
        result[f"{start + 1}-{start + BIN}"] = {
            "word_right": sum(words) / len(words),
            "peak_right": sum(with_link) / max(len(with_link), 1),
            "entropy": sum(entropies) / len(entropies),
            "number": len(words),
        }
    return result


def mistakes(pairs: Sequence[SentencePair], translations: Sequence[Sequence[str]]) -> dict:
    """Say where the first mistake of each wrong translation stands, and how the translation goes on.

    Returns:
        How many first mistakes there are in every five positions; and how many wrong translations end within a right
        beginning, write some words of the beginning again after the mistake, or do neither.
    """
    first, kinds = Counter(), Counter()
    for pair, words in zip(pairs, translations, strict=True):
        if tuple(words) == pair.target:
            continue
        agree = [a == b for a, b in zip(words, pair.target, strict=False)]
        place = agree.index(False) if False in agree else len(agree)
        first[place // BIN * BIN] += 1
        if place == len(words):
            kinds["ends too early"] += 1
        elif _repeats(words, place, pair.target):
            kinds["goes back"] += 1
        else:
            kinds["other"] += 1
    return {"first": {f"{start + 1}-{start + BIN}": first[start] for start in sorted(first)}, "kinds": dict(kinds)}


def _repeats(words: Sequence[str], place: int, target: Sequence[str]) -> bool:
    """Say whether three words from a mistake on stood before it, and do not follow in the right translation."""
    before, rest = (
        {tuple(part[i : i + 3]) for i in range(len(part) - 2)} for part in (words[: place + 2], target[place:])
    )
    after = {tuple(words[i : i + 3]) for i in range(place, len(words) - 2)}
    return bool((after & before) - rest)


def short_sentences_late(translator: Translator, pairs: Sequence[SentencePair]) -> list[dict[str, float]]:
    """Translate sentences of at most ten words with positions that start at a later number than 0."""
    short = [pair for pair in pairs if len(pair.source) <= SHORT]
    result = []
    for start in STARTS:
        with positions_from(translator.model, start, start):
            score = score_translations(short, translator.translate_all([pair.source for pair in short]))
        result.append({"start": start, "exact_match": score.exact_match, "number": len(short)})
    return result


def sharpened(translator: Translator, pairs: Sequence[SentencePair]) -> list[dict[str, float]]:
    """Translate with all scores of the trained model's attention times a factor: weights that are less spread."""
    attentions = [part for part in translator.model.modules() if isinstance(part, MultiHeadAttention)]
    parameters = [parameter for attention in attentions for parameter in attention.w_query.parameters()]
    kept = [parameter.detach().clone() for parameter in parameters]
    result = []
    with torch.no_grad():
        for factor in FACTORS:
            for parameter, value in zip(parameters, kept, strict=True):
                parameter.copy_(factor * value)
            score = score_translations(pairs, translator.translate_all([pair.source for pair in pairs]))
            result.append({"factor": factor, "exact_match": score.exact_match})
        for parameter, value in zip(parameters, kept, strict=True):
            parameter.copy_(value)
    return result


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", nargs="*", default=list(TRAINERS), choices=list(TRAINERS))
    parser.add_argument("--seeds", nargs="*", type=int, default=list(ladder.SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    splits = {**language.splits, "longer_validation": longer_validation(language)}
    settings = {"cpu_seconds": ladder.CPU_SECONDS, "num_train": len(language.splits["train"])}
    results = Results("longer", settings | {"transformer": ladder.SETTINGS["transformer"]})
    for seed in tqdm(options.seeds, desc="seeds"):
        for name in tqdm(options.runs, desc="runs", leave=False):
            if results.has(run=name, seed=seed) or (name in ONE_SEED and seed != ladder.SEEDS[0]):
                continue
            translator, trainer = train(name, seed, language)
            results.add(
                run=name,
                options=TRAINERS[name][1],
                seed=seed,
                parameters=sum(parameter.numel() for parameter in translator.model.parameters()),
                steps=trainer.progress.step,
                epochs=trainer.progress.epoch,
                seconds=round(trainer.progress.seconds, 1),
                last_loss=sum(trainer.progress.losses[-50:]) / 50,
                **measure(translator, splits),
            )


if __name__ == "__main__":
    main()
