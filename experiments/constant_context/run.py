"""Is it the looking back, or hearing of the source at every step? `python -m experiments.constant_context`.

The ladder's Luong model with one thing changed: the vector that it gets beside its state is the same at every step of
a sentence. "mean" is what attention with equal weights gives, the mean of the encoder's states; "last" is the pair of
states that the two directions end with, as Cho et al. (2014) hand on one vector at every step. Data, encoder, decoder
and settings are the ladder's, and the number of updates is the mean of the Luong runs there. Half an hour.
"""

import argparse

import torch
from torch import Tensor
from tqdm import tqdm

from experiments.ladder.run import SETTINGS, measure
from experiments.results import Results, committed
from transformer_course.common.seeding import seed_everything
from transformer_course.common.tokens import PAD
from transformer_course.training.config import TrainingConfig
from transformer_course.training.ladder.gru import State
from transformer_course.training.ladder.gru_attention import LuongTranslator
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator

CONTEXTS, SEEDS = ("mean", "last"), (0, 1, 2)


class ConstantContextTranslator(LuongTranslator):
    """The Luong model of the ladder, with a context that is the same for every word of the translation.

    Args:
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        context: "mean" of the encoder's states, or the "last" state of each of its directions.
    """

    def __init__(self, source_vocab_size: int, target_vocab_size: int, context: str):
        super().__init__(source_vocab_size, target_vocab_size)
        del self.w_query  # no question is asked
        self.context = context

    def start_decoding(self, source: Tensor) -> State:
        """Read the source sentences ``(batch, source_length)``; the state has sentences in dimension 0."""
        memory, summary = self.encoder(source)
        lengths = (source != PAD).sum(dim=1, keepdim=True)  # (batch, 1)
        mean = memory.sum(dim=1) / lengths.clamp(min=1)  # (batch, d_memory), the memory is 0 at padding
        return {
            "hidden": torch.tanh(self.first_hidden(summary)),  # (batch, d_hidden)
            "context": mean if self.context == "mean" else summary,  # (batch, d_memory)
        }

    def _read(self, target_input: Tensor, state: State) -> tuple[Tensor, None, Tensor]:
        hidden, last = self.decoder(self.embedding(target_input), state["hidden"].unsqueeze(0))
        context = state["context"].unsqueeze(1).expand(-1, hidden.shape[1], -1)  # (batch, target_length, d_memory)
        seen = torch.cat([hidden, context], dim=-1)  # (batch, target_length, d_hidden + d_memory)
        return self.output(torch.tanh(self.combine(seen))), None, last.squeeze(0)


def train(context: str, seed: int, num_steps: int, language: Language) -> tuple[Translator, Trainer]:
    """Train one model with one seed."""
    seed_everything(seed)
    sizes = len(language.source_vocabulary), len(language.target_vocabulary)
    model = ConstantContextTranslator(*sizes, context)
    # Named as a model without attention, so that nobody asks for its alignment.
    translator = Translator("gru", model, language.source_vocabulary, language.target_vocabulary)
    trainer = Trainer(model, language.examples(), TrainingConfig(num_steps=num_steps, seed=seed, **SETTINGS["luong"]))
    trainer.run()
    model.eval()
    return translator, trainer


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contexts", nargs="*", default=list(CONTEXTS), choices=list(CONTEXTS))
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    luong = [run["steps"] for run in committed("ladder")["runs"] if run["model"] == "luong"]
    num_steps = round(sum(luong) / len(luong))
    settings = {"num_steps": num_steps, "num_train": len(language.splits["train"]), "model": SETTINGS["luong"]}
    results = Results("constant_context", settings)
    for seed in tqdm(options.seeds, desc="seeds"):
        for context in options.contexts:
            if results.has(context=context, seed=seed):
                continue
            translator, trainer = train(context, seed, num_steps, language)
            results.add(
                context=context,
                seed=seed,
                parameters=sum(parameter.numel() for parameter in translator.model.parameters()),
                seconds=round(trainer.progress.seconds, 1),
                last_loss=sum(trainer.progress.losses[-50:]) / 50,
                **measure(translator, language),
            )


if __name__ == "__main__":
    main()
