"""Parts of the modern block in a translator, one at a time, on one clock: `python -m experiments.modern_translators`.

The Transformer of the ladder with one thing replaced (`modern_parts/parts.py`), and with all: each gets 60 CPU
seconds of one thread for the ladder's 20,000 sentence pairs, with three seeds. Measured on sentences that were not
seen: nats a token of the right translation, and exact match of what is written greedily, also for sentences that are
longer than any in training. About 30 minutes. With `--updates-of` a variant gets, instead of the seconds, as many
updates as another one made in them with the same seed.
"""

import argparse

import torch
from torch import nn
from torch.nn import functional as F

from experiments.ladder.run import SETTINGS as LADDER
from experiments.modern_parts.parts import GATED_WIDTH, NUM_GROUPS, VARIANTS, make_translator
from experiments.results import Results
from transformer_course.common.modes import evaluating
from transformer_course.common.seeding import seed_everything
from transformer_course.common.tokens import PAD
from transformer_course.data.batching import make_batches, make_examples
from transformer_course.sequence_transduction import teacher_forcing_pair
from transformer_course.training.config import TrainingConfig
from transformer_course.training.evaluation import score_translations
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator

CPU_SECONDS, SEEDS = 60.0, (0, 1, 2)
TRAINING = LADDER["transformer"]
SETTINGS = {
    "cpu_seconds": CPU_SECONDS,
    "groups": NUM_GROUPS,
    "gated_width": GATED_WIDTH,
    "training": TRAINING,
    "variants": VARIANTS,
}


def train(name: str, seed: int, language: Language, **budget: float) -> tuple[Translator, Trainer]:
    """Train a variant for ``cpu_seconds`` or ``num_steps``; return it with its vocabularies, and its trainer."""
    vocabularies = language.source_vocabulary, language.target_vocabulary
    seed_everything(seed)
    model = make_translator(name, *map(len, vocabularies))
    trainer = Trainer(model, language.examples(), TrainingConfig(**budget, **TRAINING, seed=seed))
    trainer.run()
    return Translator("transformer", model.eval(), *vocabularies), trainer


@torch.no_grad()
def nats_per_token(model: nn.Module, language: Language, split: str) -> float:
    """Return the loss of the right translations of a split, in nats a token."""
    encoders = language.source_vocabulary.encode, language.target_vocabulary.encode
    total = count = 0.0
    with evaluating(model):
        for batch in make_batches(make_examples(language.splits[split], *encoders), 2_000):
            shown, labels = teacher_forcing_pair(batch.target)  # both (batch, target_length - 1)
            logits = model(batch.source, shown).flatten(0, 1)
            total += F.cross_entropy(logits, labels.flatten(), ignore_index=PAD, reduction="sum").item()
            count += (labels != PAD).sum().item()
    return total / count


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--variants", nargs="*", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--updates-of", choices=list(VARIANTS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language, results = built_in_language(), Results("modern_translators", SETTINGS)
    for seed in options.seeds:
        for name in options.variants:
            counted_by = options.updates_of
            key = {"variant": name, "seed": seed, "budget": f"updates of {counted_by}" if counted_by else "seconds"}
            if results.has(**key):
                continue
            budget: dict[str, float] = {"cpu_seconds": CPU_SECONDS}
            if counted_by:
                other = {"variant": counted_by, "seed": seed, "budget": "seconds"}
                (steps,) = (run["steps"] for run in results.read()["runs"] if other.items() <= run.items())
                budget = {"num_steps": steps}
            translator, trainer = train(name, seed, language, **budget)
            exact = {}
            for split in ("test", "longer"):
                pairs = language.splits[split]
                written = translator.translate_all([pair.source for pair in pairs])
                exact[split] = score_translations(pairs, written).exact_match
            results.add(
                **key,
                parameters=sum(parameter.numel() for parameter in translator.model.parameters()),
                steps=trainer.progress.step,
                seconds=round(trainer.progress.seconds, 1),
                nats={split: nats_per_token(translator.model, language, split) for split in ("test", "longer")},
                exact_match=exact,
                first_losses=[round(loss, 4) for loss in trainer.progress.losses[:5]],
            )


if __name__ == "__main__":
    main()
