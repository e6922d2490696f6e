"""Does it help to practise on one's own words? Scheduled sampling, `python -m experiments.exposure_bias`.

The plain encoder-decoder of the ladder, smaller, on the short sentences of the built-in language, trained for equal CPU
seconds in three ways. "all at once" is teacher forcing as everywhere in this course. "word by word" is the same with a
loop over the words, which costs time and changes nothing else. "own words" is that loop with scheduled sampling
(Bengio et al. 2015, section 2.4): each word that the decoder reads is drawn from its own prediction with a probability
that rises in a straight line from 0 to one half. Ten minutes.
"""

import argparse
import time

import torch
from torch import Tensor, nn
from tqdm import tqdm

from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.common.subnormals import without_subnormals
from transformer_course.common.tokens import EOS, PAD, Vocabulary
from transformer_course.data.batching import Example, make_batches, make_examples
from transformer_course.data.corpus import load_corpus
from transformer_course.data.sentences import SentencePair
from transformer_course.sequence_transduction import label_smoothing_loss, teacher_forcing_pair
from transformer_course.training.evaluation import score_translations
from transformer_course.training.ladder.gru import GRUTranslator
from transformer_course.training.models import Translator

CPU_SECONDS, SEEDS, LONGEST, MOST_OWN = 30.0, (0, 1, 2), 10, 0.5
WAYS = ("all at once", "word by word", "own words")
MODEL = {"d_embedding": 64, "d_hidden": 128}
TRAINING = {"learning_rate": 3e-3, "final_fraction": 0.05, "max_tokens": 1_000, "max_grad_norm": 1.0}


def word_by_word(model: GRUTranslator, source: Tensor, target_input: Tensor, share: float) -> Tensor:
    """Read the right words, or with probability `share` a word drawn from the model's own prediction.

    Args:
        model: the translator.
        source: ``(batch, source_length)``.
        target_input: ``(batch, target_length)``, the right words, BOS first.
        share: probability that a word after BOS is the model's own.

    Returns:
        The logits ``(batch, target_length, vocab_size)``.
    """
    state, all_logits = model.start_decoding(source), []
    for position, words in enumerate(target_input.unbind(dim=1)):
        if share > 0 and position > 0:
            own = all_logits[-1].detach().softmax(dim=-1).multinomial(1).squeeze(1)  # (batch,)
            words = torch.where(torch.rand(len(words)) < share, own, words)
        logits, state = model.decode_step(words, state)
        all_logits.append(logits)
    return torch.stack(all_logits, dim=1)


def train(way: str, seed: int, examples: list[Example], sizes: tuple[int, int]) -> tuple[GRUTranslator, int]:
    """Train one model in one of the three ways; return it with the number of updates."""
    seed_everything(seed)
    model = GRUTranslator(*sizes, **MODEL)
    optimizer = torch.optim.Adam(model.parameters(), lr=TRAINING["learning_rate"], fused=True)
    order = torch.Generator().manual_seed(seed)
    updates, started = 0, time.process_time()
    with without_subnormals():
        while True:
            for batch in make_batches(examples, TRAINING["max_tokens"], generator=order):
                fraction = (time.process_time() - started) / CPU_SECONDS
                if fraction >= 1:
                    return model.eval(), updates
                falling = 1 - (1 - TRAINING["final_fraction"]) * fraction
                optimizer.param_groups[0]["lr"] = TRAINING["learning_rate"] * falling
                target_input, labels = teacher_forcing_pair(batch.target)
                if way == "all at once":
                    logits = model(batch.source, target_input)
                else:
                    share = MOST_OWN * fraction if way == "own words" else 0.0
                    logits = word_by_word(model, batch.source, target_input, share)
                loss = label_smoothing_loss(logits, labels, smoothing=0.0)
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), TRAINING["max_grad_norm"])
                optimizer.step()
                updates += 1


@torch.no_grad()
def measure(model: GRUTranslator, pairs: list[SentencePair], source: Vocabulary, target: Vocabulary) -> dict:
    """Measure with the right beginnings and with the model's own.

    "after a mistake": of the words that the model writes after its first wrong one, the share that stands at its place
    in the reference; "teacher forced": of all words, the share that is right after the right words.
    """
    translator = Translator("gru", model, source, target)
    written = translator.translate_all([pair.source for pair in pairs])
    score = score_translations(pairs, written)
    right = places = 0
    for words, pair in zip(written, pairs, strict=True):
        wanted, got = [target.encode(pair.target) + [EOS], target.encode(words) + [EOS]]
        hits = [i < len(got) and got[i] == word for i, word in enumerate(wanted)]
        if not all(hits):
            after = hits[hits.index(False) + 1 :]
            right, places = right + sum(after), places + len(after)
    correct = labels_seen = total = 0.0
    for batch in make_batches(make_examples(pairs, source.encode, target.encode), 4_000):
        target_input, labels = teacher_forcing_pair(batch.target)
        logits, real = model(batch.source, target_input), labels != PAD
        correct += (logits.argmax(dim=-1) == labels)[real].sum().item()
        total += label_smoothing_loss(logits, labels, smoothing=0.0).item() * real.sum().item()
        labels_seen += real.sum().item()
    return {
        "exact_match": score.exact_match,
        "bleu": score.bleu,
        "teacher_forced": correct / labels_seen,
        "loss": total / labels_seen,
        "after_a_mistake": right / max(places, 1),
        "words_after_a_mistake": places,
    }


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    corpus = load_corpus()
    train_pairs, test_pairs = (
        [pair for pair in pairs if len(pair.source) <= LONGEST] for pairs in (corpus.train, corpus.test)
    )
    source = Vocabulary.from_sentences(pair.source for pair in train_pairs)
    target = Vocabulary.from_sentences(pair.target for pair in train_pairs)
    examples = make_examples(train_pairs, source.encode, target.encode)
    settings = {"cpu_seconds": CPU_SECONDS, "longest_source": LONGEST, "most_own": MOST_OWN}
    settings |= {"num_train": len(train_pairs), "num_test": len(test_pairs), "model": MODEL, "training": TRAINING}
    results = Results("exposure_bias", settings)
    for seed in tqdm(options.seeds, desc="seeds"):
        for way in WAYS:
            if results.has(way=way, seed=seed):
                continue
            model, updates = train(way, seed, examples, (len(source), len(target)))
            results.add(way=way, seed=seed, updates=updates, **measure(model, test_pairs, source, target))


if __name__ == "__main__":
    main()
