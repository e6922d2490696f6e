"""From the GRU without attention to the Transformer, at equal budget: `python -m experiments.ladder`.

Every model has about a million parameters and the same CPU seconds of one thread for the same 20,000 sentence pairs.
Measured on sentences that were not seen: exact match, by length too, on the test set, on longer sentences and on new
combinations of words; BLEU; and the alignment error of the attention against the gold alignment.
"""

import argparse

import torch
from tqdm import tqdm

from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.inside_attention import head_alignment_error
from transformer_course.training.config import TrainingConfig
from transformer_course.training.drawing import attention_maps
from transformer_course.training.evaluation import score_translations
from transformer_course.training.ladder.models import MODELS
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator, build_translator

CPU_SECONDS, SEEDS = 180.0, (0, 1, 2)
# Chosen on the validation sentences, for the Transformer and for the recurrent models (those with attention). What the
# weight decay is for: `experiments/weight_decay/run.py`.
SETTINGS = {name: {"learning_rate": 3e-3, "micro_batch_tokens": 600, "weight_decay": 0.2} for name in MODELS}
SETTINGS["transformer"] = {"learning_rate": 2e-3, "micro_batch_tokens": 250, "weight_decay": 0.1}
NUM_ALIGNED, NUM_SEEN = 200, 1_000


def train(name: str, language: Language, config: TrainingConfig) -> tuple[Translator, Trainer]:
    """Train one model with one seed."""
    seed_everything(config.seed)
    translator = build_translator(name, language.source_vocabulary, language.target_vocabulary)
    trainer = Trainer(translator.model, language.examples(), config)
    trainer.run()
    translator.model.eval()
    return translator, trainer


def measure(translator: Translator, language: Language) -> dict:
    """Measure a trained model on the three test sets, and on sentences that it was trained on."""
    result = {}
    for split in ("test", "longer", "composition"):
        pairs = language.splits[split]
        score = score_translations(pairs, translator.translate_all([pair.source for pair in pairs]))
        by_length = {f"{low}-{high}": value for (low, high), value in score.exact_match_by_length.items()}
        result[split] = {"exact_match": score.exact_match, "bleu": score.bleu, "exact_match_by_length": by_length}
    seen = language.splits["train"][:NUM_SEEN]
    score = score_translations(seen, translator.translate_all([pair.source for pair in seen]))
    result["seen_in_training"] = {"exact_match": score.exact_match}
    result["alignment_error"] = alignment_error(translator, language)
    return result


def alignment_error(translator: Translator, language: Language) -> dict | None:
    """Return the alignment error rate of every head and of the mean over all of them; None without attention.

    For these all gold links count as sure. "groups possible" is the error of the mean if only the links between two
    words that have no other are sure, and "lowest" what no map can get below: it links each French word once, and some
    have several gold links.
    """
    if translator.name in ("gru", "bidirectional"):
        return None
    pairs = language.splits["test"][:NUM_ALIGNED]
    maps = []
    for pair in pairs:
        weights = attention_maps(translator, pair.source, pair.target)  # (layers, heads, m + 1, n + 1)
        maps.append(weights[..., :-1, :-1])  # without EOS, which has no gold link
    averaged = [weights.mean(dim=(0, 1), keepdim=True) for weights in maps]
    links, sure = [set(pair.alignment) for pair in pairs], [set(pair.sure_links) for pair in pairs]
    perfect = [torch.zeros_like(weights[:1, :1]) for weights in maps]
    for weights, gold in zip(perfect, links, strict=True):
        rows, columns = zip(*gold, strict=True)
        weights[0, 0, rows, columns] = 1.0
    return {
        "heads": head_alignment_error(maps, links).tolist(),
        "mean_of_heads": head_alignment_error(averaged, links).item(),
        "mean_of_heads_groups_possible": head_alignment_error(averaged, sure, links).item(),
        "lowest": head_alignment_error(perfect, links).item(),
    }


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    settings = {"cpu_seconds": CPU_SECONDS, "num_train": len(language.splits["train"]), "models": SETTINGS}
    results = Results("ladder", settings)
    for seed in tqdm(options.seeds, desc="seeds"):
        for name in tqdm(options.models, desc="models", leave=False):
            if results.has(model=name, seed=seed):
                continue
            config = TrainingConfig(cpu_seconds=CPU_SECONDS, seed=seed, **SETTINGS[name])
            translator, trainer = train(name, language, config)
            results.add(
                model=name,
                seed=seed,
                parameters=sum(parameter.numel() for parameter in translator.model.parameters()),
                steps=trainer.progress.step,
                seconds=round(trainer.progress.seconds, 1),
                last_loss=sum(trainer.progress.losses[-50:]) / 50,
                **measure(translator, language),
            )


if __name__ == "__main__":
    main()
