"""Pretraining by gaps, fine-tuning by labels, and the measures of chapter 14."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.subnormals import without_subnormals
from transformer_course.common.tokens import PAD, Vocabulary
from transformer_course.data.agreement_pairs import Group, labelled
from transformer_course.data.clause_text import draw_clause_sentences
from transformer_course.data.corpus import load_corpus
from transformer_course.masked_language_model import (
    NOT_ASKED,
    SPECIAL_IDS,
    MaskedLanguageModel,
    SentenceClassifier,
    corrupt,
    mask_tokens,
)
from transformer_course.sequence_transduction import pad_sequences
from transformer_course.training.updates import make_updates

MASK_WORD = "<mask>"
Corruption = Callable[[Tensor, torch.Generator], tuple[Tensor, Tensor]]


@dataclass
class Text:
    """Sentences as numbers, with the vocabulary that made them.

    Attributes:
        vocabulary: the words, `MASK_WORD` the last of them.
        train: sentences to learn from, each a tensor of ids.
        held_out: sentences for measuring.
        words: the sentences to learn from, as words.
    """

    vocabulary: Vocabulary
    train: list[Tensor]
    held_out: list[Tensor]
    words: list[tuple[str, ...]] = field(repr=False)

    @property
    def mask_id(self) -> int:
        """Give the id of the word that hides another."""
        return self.vocabulary.ids[MASK_WORD]

    def encode(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Turn sentences into one padded tensor ``(batch, length)``."""
        return pad_sequences([self.vocabulary.encode(words) for words in sentences])


def load_text(num_corpus: int = 12_000, num_clauses: int = 12_000, longest: int = 12) -> Text:
    """Take right sentences of the built-in language, in English: no translations, no labels.

    Args:
        num_corpus: sentences of the corpus to begin with, of which the short ones are kept.
        num_clauses: sentences whose subject has a relative clause.
        longest: at most so many words in each.

    Returns:
        The sentences; those held out are of the corpus's test set and of both kinds.
    """
    corpus = load_corpus(num_train=num_corpus)
    train, held_out = ([p.source for p in pairs if len(p.source) <= longest] for pairs in (corpus.train, corpus.test))
    clauses = draw_clause_sentences(num_clauses + len(held_out), 0, longest, {*train, *held_out})
    train, held_out = train + clauses[len(held_out) :], held_out + clauses[: len(held_out)]
    words = Vocabulary.from_sentences(train).words
    vocabulary = Vocabulary([*words[len(SPECIAL_IDS) :], MASK_WORD])
    ids = [[torch.tensor(vocabulary.encode(each)) for each in sentences] for sentences in (train, held_out)]
    return Text(vocabulary, *ids, train)


def hide(mask_id: int, vocab_size: int, shares: tuple[float, float] | None = None, probability: float = 0.15):
    """Say how sentences become questions.

    Args:
        mask_id: the token that says "hidden".
        vocab_size: number of different tokens.
        shares: of the chosen words, how many are hidden and how many replaced; None is `mask_tokens` itself.
        probability: with which each word is chosen.

    Returns:
        A function from tokens and a generator to inputs and labels.
    """

    def ask(tokens: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        if shares is None:
            return mask_tokens(tokens, mask_id, vocab_size, probability, generator=generator)
        chosen = (torch.rand(tokens.shape, generator=generator) < probability) & (tokens > max(SPECIAL_IDS))
        return corrupt(tokens, chosen, mask_id, vocab_size, shares, generator=generator)

    return ask


def batches_of_one_length(sentences: Sequence[Tensor], max_tokens: int, generator: torch.Generator):
    """Yield batches ``(batch, length)`` without end: shuffled, sentences of one length together, so nothing is padded.

    Args:
        sentences: each a tensor of ids.
        max_tokens: at most so many tokens in a batch.
        generator: the source of the order.

    Yields:
        Batches; each pass goes through every sentence once.
    """
    of_length: dict[int, list[Tensor]] = {}
    for sentence in sentences:
        of_length.setdefault(len(sentence), []).append(sentence)
    stacked = [torch.stack(group) for group in of_length.values()]
    while True:
        batches = []
        for group in stacked:
            order = torch.randperm(len(group), generator=generator)
            batches += [group[part] for part in order.split(max(1, max_tokens // group.shape[1]))]
        for place in torch.randperm(len(batches), generator=generator).tolist():
            yield batches[place]


@dataclass
class Run:
    """What training has cost and given: updates, CPU seconds, and the loss of each update."""

    updates: int = 0
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)


def pretrain(
    model: MaskedLanguageModel,
    sentences: Sequence[Tensor],
    ask: Corruption,
    num_updates: int,
    seed: int = 0,
    learning_rate: float = 4e-3,
    max_tokens: int = 512,
    look: Callable[[int], None] | None = None,
) -> Run:
    """Let a model fill gaps.

    AdamW with a rate that rises for a twentieth of the updates and then falls in a line to 0.

    Args:
        model: to be trained.
        sentences: what it reads.
        ask: makes inputs and labels of a batch, as from `hide`.
        num_updates: how often its weights change.
        seed: for the order of the sentences and for the gaps.
        learning_rate: the highest.
        max_tokens: at most so many tokens in a batch.
        look: called after each update with its number, in evaluation mode; its time is not counted.

    Returns:
        The run.
    """
    generator = torch.Generator().manual_seed(seed)
    batches = batches_of_one_length(sentences, max_tokens, generator)

    def loss_of() -> Tensor:
        inputs, labels = ask(next(batches), generator)
        asked = labels != NOT_ASKED
        if not asked.any():
            return model.token.weight.sum() * 0
        logits = model.encode(inputs)[asked] @ model.token.weight.T  # (number of gaps, vocab_size)
        return F.cross_entropy(logits, labels[asked])

    return train_on(model, loss_of, num_updates, learning_rate, num_updates // 20, look)


def fine_tune(
    classifier: SentenceClassifier,
    tokens: Tensor,
    labels: Tensor,
    num_updates: int,
    seed: int = 0,
    learning_rate: float = 5e-4,
    batch: int = 32,
    frozen: bool = False,
) -> Run:
    """Let a classifier learn labels.

    Args:
        classifier: to be trained.
        tokens: ``(num_sentences, length)``.
        labels: ``(num_sentences,)``.
        num_updates: how often its weights change.
        seed: for the order.
        learning_rate: the highest; it rises for a tenth of the updates, then falls in a line to 0.
        batch: sentences of one update.
        frozen: whether only the head learns.

    Returns:
        The run.
    """
    generator = torch.Generator().manual_seed(seed)

    def loss_of() -> Tensor:
        rows = torch.randperm(len(tokens), generator=generator)[:batch]
        return F.cross_entropy(classifier(trim(tokens[rows])), labels[rows])

    learning = classifier.head if frozen else classifier
    return train_on(learning, loss_of, num_updates, learning_rate, warm_up=num_updates // 10)


def train_on(
    model: nn.Module,
    loss_of: Callable[[], Tensor],
    num_updates: int,
    learning_rate: float,
    warm_up: int,
    look: Callable[[int], None] | None = None,
) -> Run:
    """Make a loss smaller: AdamW, a rate that rises and then falls in a line to 0, and the gradient clipped to 1."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.98), weight_decay=0.01)
    looking = 0.0

    def rate_at(done: float) -> float:
        rising, falling = (done + 1) / max(warm_up, 1), (num_updates - done) / (num_updates - warm_up + 1)
        return learning_rate * min(rising, falling)

    def after(update: int, _: float) -> None:
        nonlocal looking
        started = time.process_time()
        model.eval()
        look(update)
        model.train()
        looking += time.process_time() - started

    model.train()
    with without_subnormals():
        started = time.process_time()
        watch = after if look else None
        losses = make_updates(optimizer, loss_of, num_updates, rate_at=rate_at, max_grad_norm=1.0, after=watch)
        seconds = time.process_time() - started - looking
    model.eval()
    return Run(losses=losses, seconds=seconds, updates=num_updates)


def trim(tokens: Tensor) -> Tensor:
    """Cut off columns at the end that hold nothing but padding."""
    return tokens[:, : int((tokens != PAD).any(dim=0).sum())]


def accuracy(classifier: nn.Module, tokens: Tensor, labels: Tensor) -> float:
    """Give the share of sentences whose label has the largest logit."""
    with torch.no_grad():
        said = torch.cat([classifier(trim(part)) for part in tokens.split(256)]).argmax(dim=-1)
    return (said == labels).double().mean().item()


def gap_loss(
    model: MaskedLanguageModel, sentences: Sequence[Tensor], mask_id: int, seed: int = 0
) -> tuple[float, float]:
    """Hide 15 % of the words of new sentences, all by ``mask_id``, and let the model guess.

    Returns:
        The loss in nats a word, and the share of words that it guesses.
    """
    generator = torch.Generator().manual_seed(seed)
    ask = hide(mask_id, model.token.num_embeddings, (1.0, 0.0))
    total = right = count = 0.0
    with torch.no_grad():
        for tokens in pad_sequences([each.tolist() for each in sentences]).split(256):
            inputs, labels = ask(tokens, generator)
            asked = labels != NOT_ASKED
            logits = model(trim(inputs))[asked[:, : trim(inputs).shape[1]]]
            total += F.cross_entropy(logits, labels[asked], reduction="sum").item()
            right += (logits.argmax(dim=-1) == labels[asked]).sum().item()
            count += len(logits)
    return total / count, right / count


def prefers_the_right_form(
    model: MaskedLanguageModel, groups: Sequence[Group], text: Text, shown: str = "mask"
) -> Tensor:
    """Compare, where the verb stands, the logits of its two forms.

    Args:
        model: a masked language model.
        groups: of four sentences.
        text: for its vocabulary.
        shown: what the model sees there: ``"mask"``, the ``"wrong"`` form, or the ``"right"`` one.

    Returns:
        For each minimal pair whether the right form has the larger logit, bool ``(2 * number of groups,)``.
    """
    pairs = [pair for group in groups for pair in group.pairs]
    right, wrong = (text.encode([pair[side] for pair in pairs]) for side in (0, 1))
    rows, places = torch.arange(len(pairs)), torch.tensor([place for _, _, place in pairs])
    seen = (wrong if shown == "wrong" else right).clone()
    if shown == "mask":
        seen[rows, places] = text.mask_id
    with torch.no_grad():
        logits = torch.cat([model(part)[:, :] for part in seen.split(256)])[rows, places]
    return logits[rows, right[rows, places]] > logits[rows, wrong[rows, places]]


def labelled_tensors(groups: Sequence[Group], text: Text) -> tuple[Tensor, Tensor]:
    """Turn groups into tokens ``(4 * number of groups, length)`` and labels."""
    sentences, labels = labelled(groups)
    return text.encode(sentences), torch.tensor(labels)
