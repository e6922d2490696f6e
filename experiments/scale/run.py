"""One head of width 128, with and without the division by sqrt(d_k): `python -m experiments.scale`.

A head without the scale is the same module with its queries multiplied by sqrt(d_k) after their projection, so that
the division takes nothing away.
"""

import argparse
import math

import torch
from torch import Tensor, nn
from tqdm import tqdm

from experiments.ladder.run import measure
from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.training.config import TrainingConfig
from transformer_course.training.ladder.models import small_transformer
from transformer_course.training.languages import built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator

CPU_SECONDS, SEEDS, HEADS = 90.0, (0, 1, 2), (1, 4)
SETTINGS = {"learning_rate": 3e-3, "micro_batch_tokens": 500}


class TimesConstant(nn.Module):
    """Multiply by a constant."""

    def __init__(self, constant: float):
        super().__init__()
        self.constant = constant

    def forward(self, x: Tensor) -> Tensor:
        """Return ``constant * x``, in the shape of x."""
        return self.constant * x


def remove_scale(model: nn.Module) -> None:
    """Undo the division by sqrt(d_k) in every attention of a model."""
    for module in list(model.modules()):
        if isinstance(module, MultiHeadAttention):
            module.w_query = nn.Sequential(module.w_query, TimesConstant(math.sqrt(module.d_k)))


def build(source_words: int, target_words: int, num_heads: int, scaled: bool) -> nn.Module:
    """Make the small Transformer of this experiment."""
    model = small_transformer(source_words, target_words, num_heads=num_heads)
    if not scaled:
        remove_scale(model)
    return model


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--heads", nargs="*", type=int, default=list(HEADS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    sizes = len(language.source_vocabulary), len(language.target_vocabulary)
    settings = {"cpu_seconds": CPU_SECONDS, "num_train": len(language.splits["train"]), "words": sizes, **SETTINGS}
    results = Results("scale", settings)
    for seed in tqdm(options.seeds, desc="seeds"):
        for num_heads in options.heads:
            for scaled in (True, False):
                if results.has(seed=seed, num_heads=num_heads, scaled=scaled):
                    continue
                seed_everything(seed)
                model = build(*sizes, num_heads=num_heads, scaled=scaled)
                config = TrainingConfig(cpu_seconds=CPU_SECONDS, seed=seed, **SETTINGS)
                trainer = Trainer(model, language.examples(), config)
                trainer.run()
                model.eval()
                translator = Translator("transformer", model, language.source_vocabulary, language.target_vocabulary)
                results.add(
                    seed=seed,
                    num_heads=num_heads,
                    scaled=scaled,
                    steps=trainer.progress.step,
                    seconds=round(trainer.progress.seconds, 1),
                    last_loss=sum(trainer.progress.losses[-50:]) / 50,
                    **measure(translator, language),
                )


if __name__ == "__main__":
    main()
