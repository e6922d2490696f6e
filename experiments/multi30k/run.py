"""Real sentences, German to English: `python -m experiments.multi30k [--data FOLDER]`.

Multi30k, lower-cased and tokenised; a Transformer of 1.4 M parameters, 10 and 20 CPU minutes of one thread, with and
without dropout, and with the weight decay of the ladder (`--recipe`). Reported: BLEU on test 2016 by sacrebleu with
tokenize="none", greedy and with beams; and, for a model trained on the text as it was written, BLEU with sacrebleu's
own tokenisation.
"""

import argparse
import itertools
from pathlib import Path

import torch
from sacrebleu.metrics import BLEU

from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.training.config import TrainingConfig
from transformer_course.training.languages import Language, multi30k_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator, build_translator

SETTINGS = {"learning_rate": 2e-3, "warmup_steps": 300, "smoothing": 0.1, "micro_batch_tokens": 1_000}
# What a recipe changes in the settings above.
RECIPES = {"plain": {}, "weight decay": {"weight_decay": 0.1}}
BEAMS = ((1, 0.6), (4, 0.6), (8, 0.6))


def corpus_score(translator: Translator, language: Language, split: str, beam: tuple[int, float], cased: bool) -> float:
    """Translate a split and return its BLEU."""
    pairs = language.splits[split]
    hypotheses = [" ".join(words) for words in translator.translate_all([p.source for p in pairs], *beam)]
    metric = BLEU(tokenize="13a" if cased else "none", force=True)
    return metric.corpus_score(hypotheses, [[" ".join(pair.target) for pair in pairs]]).score


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of Multi30k; without it, it is downloaded")
    parser.add_argument("--minutes", nargs="*", type=float, default=[10, 20], help="CPU minutes of the runs")
    parser.add_argument("--dropout", nargs="*", type=float, default=[0.0, 0.1, 0.2], help="probabilities of the runs")
    parser.add_argument("--recipe", default="plain", choices=list(RECIPES), help="what changes in the settings")
    parser.add_argument("--seeds", nargs="*", type=int, default=[0])
    parser.add_argument("--cased", action="store_true", help="the text as it was written")
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = multi30k_language(options.data, tokenized=not options.cased)
    print(*language.notes, sep="\n")
    results = Results("multi30k", {**SETTINGS, "vocab_size": len(language.source_vocabulary)})
    for minutes, dropout, seed in itertools.product(options.minutes, options.dropout, options.seeds):
        key = {"minutes": minutes, "cased": options.cased, "dropout": dropout, "recipe": options.recipe, "seed": seed}
        if results.has(**key):
            continue
        seed_everything(seed)
        translator = build_translator("transformer", language.source_vocabulary, language.target_vocabulary, dropout)
        config = TrainingConfig(cpu_seconds=60 * minutes, seed=seed, **SETTINGS | RECIPES[options.recipe])
        trainer = Trainer(translator.model, language.examples(), config)
        trainer.run()
        translator.model.eval()
        bleu = {f"beam {beam[0]}": corpus_score(translator, language, "test", beam, options.cased) for beam in BEAMS}
        results.add(
            **key,
            parameters=sum(parameter.numel() for parameter in translator.model.parameters()),
            steps=trainer.progress.step,
            epochs=trainer.progress.epoch,
            test_bleu=bleu,
            validation_bleu=corpus_score(translator, language, "validation", BEAMS[0], options.cased),
        )


if __name__ == "__main__":
    main()
