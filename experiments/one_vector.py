"""How wide must the one vector be? `python -m experiments.one_vector`.

The plain encoder-decoder of the ladder, with smaller states, of which the encoder hands over only the first few
entries; the decoder gets zeros for the others. Encoder and decoder keep their sizes, so that only the width of what is
handed over differs. Equal updates on the ladder's data; measured on new sentences and on sentences of the training set,
both by length. A quarter of an hour.
"""

import argparse

import torch
from torch import Tensor
from tqdm import tqdm

from experiments.ladder import NUM_SEEN, SETTINGS
from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.ladder.gru import GRUTranslator, State
from transformer_course.training.config import TrainingConfig
from transformer_course.training.evaluation import score_translations
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import Translator

WIDTHS, SEEDS, NUM_STEPS, D_HIDDEN = (128, 16, 64, 32, 8), (0, 1), 4_000, 128


class NarrowTranslator(GRUTranslator):
    """The plain encoder-decoder, whose encoder hands over only the first entries of its last state.

    Args:
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        d_vector: how many entries are handed over.
        d_hidden: width of the recurrent states.
    """

    def __init__(self, source_vocab_size: int, target_vocab_size: int, d_vector: int, d_hidden: int = D_HIDDEN):
        super().__init__(source_vocab_size, target_vocab_size, d_hidden=d_hidden)
        self.d_vector = d_vector

    def start_decoding(self, source: Tensor) -> State:
        """Read the source sentences ``(batch, source_length)``; the state has sentences in dimension 0."""
        last = super().start_decoding(source)["hidden"].clone()  # (batch, d_hidden)
        last[:, self.d_vector :] = 0.0
        return {"hidden": last}


def train(d_vector: int, seed: int, language: Language) -> tuple[Translator, Trainer]:
    """Train one model with one seed."""
    seed_everything(seed)
    model = NarrowTranslator(len(language.source_vocabulary), len(language.target_vocabulary), d_vector)
    translator = Translator("gru", model, language.source_vocabulary, language.target_vocabulary)
    trainer = Trainer(model, language.examples(), TrainingConfig(num_steps=NUM_STEPS, seed=seed, **SETTINGS["gru"]))
    trainer.run()
    model.eval()
    return translator, trainer


def measure(translator: Translator, language: Language) -> dict:
    """Count the sentences without a mistake, new ones and some of the training set, together and by length."""
    result = {}
    for name, pairs in (("test", language.splits["test"]), ("seen_in_training", language.splits["train"][:NUM_SEEN])):
        score = score_translations(pairs, translator.translate_all([pair.source for pair in pairs]))
        by_length = {f"{low}-{high}": value for (low, high), value in score.exact_match_by_length.items()}
        result[name] = {"exact_match": score.exact_match, "exact_match_by_length": by_length}
    return result


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--widths", nargs="*", type=int, default=list(WIDTHS))
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    language = built_in_language()
    settings = {"num_steps": NUM_STEPS, "d_hidden": D_HIDDEN, "num_train": len(language.splits["train"])}
    results = Results("one_vector", settings | {"model": SETTINGS["gru"]})
    for seed in tqdm(options.seeds, desc="seeds"):
        for d_vector in options.widths:
            if results.has(d_vector=d_vector, seed=seed):
                continue
            translator, trainer = train(d_vector, seed, language)
            results.add(
                d_vector=d_vector,
                seed=seed,
                parameters=sum(parameter.numel() for parameter in translator.model.parameters()),
                seconds=round(trainer.progress.seconds, 1),
                last_loss=sum(trainer.progress.losses[-50:]) / 50,
                **measure(translator, language),
            )


if __name__ == "__main__":
    main()
