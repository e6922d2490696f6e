"""Which positions let one layer look two words back in longer sentences: `python -m experiments.positions`.

Each kind of position is trained on sentences of 16 random words, and asked in sentences of 64. Only the position
differs: the task, the layer, its start, the causal mask and the optimiser are the same. Two further runs read the
rotary model with smaller steps, without training it again: all of its column pairs, or only those whose turn is longer
than the sentences of the training.
"""

import argparse
import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from tqdm import tqdm

from experiments.results import Results
from transformer_course.masking import causal_mask
from transformer_course.multi_head_attention import MultiHeadAttention, merge_heads, split_heads
from transformer_course.positional_encoding import (
    alibi_bias,
    pair_frequencies,
    sinusoidal_encoding,
    turn_pairs,
)
from transformer_course.training.updates import make_updates

VOCAB_SIZE, D_MODEL, NUM_HEADS, BACK, CLIP = 12, 32, 2, 2, 8
TRAIN_LENGTH, TEST_LENGTH, BATCH, NUM_STEPS, NUM_TESTS = 16, 64, 32, 350, 500
SEEDS = (0, 1, 2, 3, 4)
TRAINED_FROM_RANDOM_STARTS = {"random start": "sinusoids", "learned, random start": "learned"}
STRETCH = TEST_LENGTH / TRAIN_LENGTH
READ_OTHERWISE = {  # trained as rotary: the frequencies with which the trained model is read
    "rotary, interpolated": lambda w: w / STRETCH,
    "rotary, slow pairs interpolated": lambda w: torch.where(2 * math.pi / w <= TRAIN_LENGTH, w, w / STRETCH),
}
KINDS = (
    *("learned", "sinusoids", "inverted", *TRAINED_FROM_RANDOM_STARTS),
    *("rotary", *READ_OTHERWISE, "clipped offsets", "alibi", "none"),
)
SETTINGS = {"learning_rate": 5e-3, "num_steps": NUM_STEPS, "batch": BATCH, "num_tests": NUM_TESTS}


def inverted_encoding(length: int, d_model: int) -> Tensor:
    """Make the sinusoids with positions multiplied where they should be divided: (length, d_model)."""
    frequencies = 10_000 ** (torch.arange(0, d_model, 2).double() / d_model)
    angles = torch.arange(length).double()[:, None] * frequencies  # (length, pairs)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()


class LookBack(nn.Module):
    """Words, one causal attention layer that knows positions in one way, and logits for each word."""

    def __init__(self, kind: str):
        super().__init__()
        self.kind = "rotary" if kind in READ_OTHERWISE else kind
        kind = TRAINED_FROM_RANDOM_STARTS.get(kind, self.kind)
        self.token = nn.Embedding(VOCAB_SIZE, D_MODEL)
        nn.init.normal_(self.token.weight, std=D_MODEL**-0.5)
        self.attention = MultiHeadAttention(D_MODEL, NUM_HEADS)
        self.output_layer = nn.Linear(D_MODEL, VOCAB_SIZE)
        self.frequencies = pair_frequencies(self.attention.d_k)  # of rotary positions
        table = torch.zeros(TEST_LENGTH, D_MODEL)
        if kind == "sinusoids":
            table = sinusoidal_encoding(TEST_LENGTH, D_MODEL)
        elif kind == "inverted":
            table = inverted_encoding(TEST_LENGTH, D_MODEL)
        elif kind == "learned":
            table = nn.Parameter(0.5 * torch.randn(TEST_LENGTH, D_MODEL))
        self.table = table
        self.offset_bias = nn.Parameter(torch.zeros(NUM_HEADS, CLIP + 1)) if kind == "clipped offsets" else None

    def forward(self, tokens: Tensor, start: int = 0, sharpness: float = 1.0) -> tuple[Tensor, Tensor]:
        """Return the logits ``(batch, length, vocab_size)`` and the scores ``(batch, heads, length, length)``."""
        length = tokens.shape[1]
        x = self.token(tokens) * math.sqrt(D_MODEL) + self.table[start : start + length]
        layer = self.attention
        query, key, value = (split_heads(w(x), NUM_HEADS) for w in (layer.w_query, layer.w_key, layer.w_value))
        if self.kind == "rotary":
            angles = torch.arange(length)[:, None] * self.frequencies  # (length, pairs)
            query, key = turn_pairs(query, angles), turn_pairs(key, angles)
        scores = query @ key.transpose(-2, -1) / math.sqrt(layer.d_k)
        if self.kind == "alibi":
            scores = scores + alibi_bias(NUM_HEADS, length)
        if self.offset_bias is not None:
            offsets = torch.arange(length)[:, None] - torch.arange(length)  # (length, length)
            scores = scores + self.offset_bias[:, offsets.clamp(0, CLIP)]
        hidden = scores.masked_fill(~causal_mask(length), -torch.inf)
        weights = torch.softmax(sharpness * hidden, dim=-1)
        return self.output_layer(layer.w_output(merge_heads(weights @ value))), scores


def train(kind: str, seed: int) -> tuple[LookBack, torch.Generator]:
    """Train on short sentences; what is read otherwise is changed after the training."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = LookBack(kind)
    optimizer = torch.optim.Adam(model.parameters(), lr=SETTINGS["learning_rate"])
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, NUM_STEPS)
    last_start = TEST_LENGTH - TRAIN_LENGTH if kind in TRAINED_FROM_RANDOM_STARTS else 0

    def loss_of_batch() -> Tensor:
        tokens = torch.randint(VOCAB_SIZE, (BATCH, TRAIN_LENGTH), generator=generator)
        start = int(torch.randint(last_start + 1, (1,), generator=generator))
        logits = model(tokens, start)[0][:, BACK:]
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, :-BACK].flatten())

    make_updates(optimizer, loss_of_batch, NUM_STEPS, after=lambda *_: schedule.step())
    if kind in READ_OTHERWISE:
        model.frequencies = READ_OTHERWISE[kind](model.frequencies)
    return model, generator


@torch.no_grad()
def measure(model: LookBack, generator: torch.Generator) -> dict[str, list]:
    """Return the share of right answers by position, as trained and with doubled scores, and two facts about scores.

    These are, by position, in what share of the sentences the right key has the largest score in at least one head,
    and for rotary models the mean score of each head by offset.
    """
    tokens = torch.randint(VOCAB_SIZE, (NUM_TESTS, TEST_LENGTH), generator=generator)
    shares = []  # as trained, and twice as sharp
    for sharpness in (1.0, 2.0):
        logits, scores = model(tokens, sharpness=sharpness)
        right = logits[:, BACK:].argmax(dim=-1) == tokens[:, :-BACK]
        shares.append(right.double().mean(dim=0))  # (positions,)
    names = ("right", "right_when_sharper")
    result = {name: [round(one, 3) for one in share.tolist()] for name, share in zip(names, shares, strict=True)}
    largest = scores.masked_fill(~causal_mask(TEST_LENGTH), -torch.inf)[:, :, BACK:].argmax(dim=-1)
    first = (largest == torch.arange(TEST_LENGTH - BACK)).any(dim=1).double().mean(dim=0)  # (positions,)
    result["right_key_first"] = [round(one, 3) for one in first.tolist()]
    if model.kind == "rotary":
        mean = scores.mean(dim=0)  # (heads, length, length)
        by_offset = [mean.diagonal(-offset, 1, 2).mean(dim=1).tolist() for offset in range(TEST_LENGTH)]
        result["score_by_offset"] = [[round(score, 2) for score in head] for head in zip(*by_offset, strict=True)]
    return result


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("positions", SETTINGS)
    for kind in options.kinds:
        for seed in tqdm(SEEDS, desc=kind):
            if not results.has(kind=kind, seed=seed):
                results.add(kind=kind, seed=seed, **measure(*train(kind, seed)))


if __name__ == "__main__":
    main()
