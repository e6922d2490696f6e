"""The other parts of the paper's recipe, one at a time: `python -m experiments.recipe`.

The ladder's Transformer for the same number of updates of the same batches, four ways: as in the ladder without weight
decay, with label smoothing, with dropout, and with the schedule of the paper, whose peak and warm-up are those of the
linear one. Measured as in the ladder, and the loss on unseen sentences (without smoothing) beside it.
"""

import argparse
import math

import torch
from torch import nn
from tqdm import tqdm

from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.data.batching import Example, make_batches, make_examples
from transformer_course.sequence_transduction import label_smoothing_loss, teacher_forcing_pair
from transformer_course.training.config import TrainingConfig
from transformer_course.training.evaluation import score_translations
from transformer_course.training.ladder.models import small_transformer
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator

UPDATES, SEEDS, D_MODEL = 2_000, (0, 1, 2), 128
PLAIN = {"learning_rate": 2e-3, "micro_batch_tokens": 250, "warmup_steps": 200}
# The rate of the paper is highest at the end of the warm-up; this factor makes that peak equal to the linear one.
FACTOR = PLAIN["learning_rate"] * math.sqrt(D_MODEL * PLAIN["warmup_steps"])
RUNS = {
    "plain": {},
    "label smoothing": {"smoothing": 0.1},
    "dropout": {"dropout": 0.1},
    "schedule of the paper": {"schedule": "noam", "learning_rate": FACTOR},
}


def train(name: str, seed: int, language: Language) -> nn.Module:
    """Train one model for `UPDATES` updates."""
    seed_everything(seed)
    settings = PLAIN | RUNS[name]
    sizes = len(language.source_vocabulary), len(language.target_vocabulary)
    model = small_transformer(*sizes, dropout=settings.pop("dropout", 0.0))
    Trainer(model, language.examples(), TrainingConfig(num_steps=UPDATES, seed=seed, **settings)).run()
    return model.eval()


@torch.no_grad()
def loss_on(model: nn.Module, examples: list[Example]) -> float:
    """Return the mean loss of the labels, in nats, without smoothing."""
    total, num_labels = 0.0, 0
    for batch in make_batches(examples, 2_000, generator=torch.Generator().manual_seed(0)):
        decoder_input, labels = teacher_forcing_pair(batch.target)
        real = int((labels != 0).sum())
        total += label_smoothing_loss(model(batch.source, decoder_input), labels, 0.0).item() * real
        num_labels += real
    return total / num_labels


def measure(model: nn.Module, language: Language) -> dict:
    """Count the test sentences without a mistake, and take the loss of seen and unseen sentences."""
    english, french = language.source_vocabulary, language.target_vocabulary
    result = {}
    translator = Translator("transformer", model, english, french)
    for split in ("test", "train"):
        pairs = language.splits[split][:1_000]
        score = score_translations(pairs, translator.translate_all([pair.source for pair in pairs]))
        loss = loss_on(model, make_examples(pairs, english.encode, french.encode))
        result[split] = {"exact_match": score.exact_match, "bleu": score.bleu, "loss": loss}
    return result


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--runs", nargs="*", default=list(RUNS), choices=list(RUNS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    settings = {"updates": UPDATES, "plain": PLAIN, "runs": RUNS, "num_train": len(language.splits["train"])}
    results = Results("recipe", settings)
    for seed in tqdm(options.seeds, desc="seeds"):
        for name in options.runs:
            if not results.has(run=name, seed=seed):
                results.add(run=name, seed=seed, **measure(train(name, seed, language), language))


if __name__ == "__main__":
    main()
