"""How many words one vector holds, for chapter 02: `python -m experiments.copying`.

Translators with one vector learn to copy sentences of words drawn at random. They differ in the width of that vector,
and in whether the source is read backwards.
"""

import argparse

import torch
from torch.nn import functional as F
from tqdm import tqdm

from experiments.results import Results
from transformer_course.common.tokens import BOS, EOS
from transformer_course.rnn_encoder_decoder import greedy_decode
from transformer_course.training.ladder.gru import GRUTranslator
from transformer_course.training.updates import make_updates

NUM_WORDS, LONGEST, STEPS, TESTED = 8, 10, 350, 200
SEEDS = (0, 1, 2, 3)
MODELS = ((16, False), (32, False), (64, False), (64, True))  # width, whether it reads backwards
SETTINGS = {"words": NUM_WORDS, "longest": LONGEST, "updates": STEPS, "tested": TESTED}


def draw(number, length, generator, backwards=False):
    """Sentences to copy: source, and target with BOS and EOS."""
    words = torch.randint(4, 4 + NUM_WORDS, (number, length), generator=generator)
    read = words.flip(1) if backwards else words
    source = F.pad(read, (0, 1), value=EOS)
    target = F.pad(F.pad(words, (0, 1), value=EOS), (1, 0), value=BOS)
    return source, target


def train_copier(d_hidden, seed, backwards=False):
    """Learn to copy."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    size = 4 + NUM_WORDS
    model = GRUTranslator(size, size, d_embedding=16, d_hidden=d_hidden)

    def loss_of_batch():
        length = int(torch.randint(1, LONGEST + 1, (), generator=generator))
        source, target = draw(64, length, generator, backwards)
        return F.cross_entropy(model(source, target[:, :-1]).flatten(0, 1), target[:, 1:].flatten())

    def rate_at(done):
        return 1e-2 * (1 - 0.95 * done / STEPS)

    make_updates(torch.optim.Adam(model.parameters()), loss_of_batch, STEPS, rate_at=rate_at, max_grad_norm=1.0)
    return model


@torch.no_grad()
def copied(model, backwards=False):
    """Share of sentences of each length copied without a mistake."""
    generator, shares = torch.Generator().manual_seed(99), []
    for length in range(1, LONGEST + 1):
        source, target = draw(TESTED, length, generator, backwards)
        written = greedy_decode(model.decode_step, model.start_decoding(source), TESTED, length + 1)
        written = F.pad(written, (0, length + 1 - written.shape[1]))
        right = (written == target[:, 1:]).all(dim=1)
        shares.append(right.double().mean().item())
    return shares


def main() -> None:
    """Run what is missing in the result file."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    torch.set_num_threads(1)
    results = Results("copying", SETTINGS)
    for seed in tqdm(SEEDS):
        for d_hidden, backwards in MODELS:
            key = {"d_hidden": d_hidden, "backwards": backwards, "seed": seed}
            if not results.has(**key):
                results.add(**key, copied=copied(train_copier(d_hidden, seed, backwards), backwards))


if __name__ == "__main__":
    main()
