"""Wrong answers, written otherwise than those that the checks hold: exercise 11."""

import contextlib
import math
from collections import Counter
from functools import partial
from itertools import product

import torch

from transformer_course.common.tokens import BOS, EOS
from transformer_course.rnn_encoder_decoder import beam_search, greedy_decode
from transformer_course.sequence_transduction import pad_sequences


def corpus_bleu__every_match(hypotheses, references, max_order=4):
    """every match counts"""
    logs = []
    for n in range(1, max_order + 1):
        hits = total = 0
        for said, wanted in zip(hypotheses, references, strict=True):
            known = [tuple(wanted[i : i + n]) for i in range(len(wanted) - n + 1)]
            for i in range(len(said) - n + 1):
                total += 1
                hits += tuple(said[i : i + n]) in known
        if hits == 0:
            return 0.0
        logs.append(math.log(hits / total))
    said, wanted = sum(map(len, hypotheses)), sum(map(len, references))
    return 100 * math.exp(sum(logs) / max_order) * (1.0 if said > wanted else math.exp(1 - wanted / said))


def corpus_bleu__no_brevity(hypotheses, references, max_order=4):
    """the brevity penalty is missing"""
    score = 1.0
    for n in range(1, max_order + 1):
        hits = total = 0
        for said, wanted in zip(hypotheses, references, strict=True):
            left = [tuple(wanted[i : i + n]) for i in range(len(wanted) - n + 1)]
            grams = [tuple(said[i : i + n]) for i in range(len(said) - n + 1)]
            total += len(grams)
            for gram in grams:
                if gram in left:
                    left.remove(gram)
                    hits += 1
        if hits == 0:
            return 0.0
        score *= (hits / total) ** (1 / max_order)
    return 100 * score


def corpus_bleu__a_zero_becomes_one(hypotheses, references, max_order=4):
    """takes the place of a count of 0"""
    right, every = [0] * max_order, [0] * max_order
    for said, wanted in zip(hypotheses, references, strict=True):
        for n in range(1, max_order + 1):
            ours = Counter(tuple(said[i : i + n]) for i in range(len(said) - n + 1))
            theirs = Counter(tuple(wanted[i : i + n]) for i in range(len(wanted) - n + 1))
            right[n - 1] += sum((ours & theirs).values())
            every[n - 1] += sum(ours.values())
    logs = sum(math.log(max(a, 1) / max(b, 1)) for a, b in zip(right, every, strict=True)) / max_order
    return 100 * math.exp(min(0, 1 - sum(map(len, references)) / max(sum(map(len, hypotheses)), 1)) + logs)


def corpus_bleu__a_tiny_number(hypotheses, references, max_order=4):
    """that is smoothing"""
    logs = 0.0
    for n in range(1, max_order + 1):
        hits = total = 0
        for said, wanted in zip(hypotheses, references, strict=True):
            ours = Counter(tuple(said[i : i + n]) for i in range(len(said) - n + 1))
            hits += (ours & Counter(tuple(wanted[i : i + n]) for i in range(len(wanted) - n + 1))).total()
            total += ours.total()
        logs += math.log(hits / max(total, 1) + 1e-12)
    said, wanted = sum(map(len, hypotheses)), sum(map(len, references))
    return 100 * min(1.0, math.exp(1 - wanted / max(said, 1))) * math.exp(logs / max_order)


def _log_probability(model, source, memory, sentence):
    rows = model.decode(torch.tensor([[BOS, *sentence[:-1]]]), memory, source)[0].log_softmax(-1)
    return [rows[place, word].item() for place, word in enumerate(sentence)]


def exhaustive_search__a_mean_outside_the_loop(model, source, words, max_length):
    """only the last sentence of each length is compared"""
    best, best_score = None, -math.inf
    with torch.no_grad():
        memory = model.encode(source)
        for length in range(max_length + 1):
            for run in product(words, repeat=length):
                sentence = [*run, EOS] if length < max_length else [*run]
                score = sum(_log_probability(model, source, memory, sentence)) / len(sentence)
            if score > best_score:
                best, best_score = sentence, score
    return best, best_score


def exhaustive_search__neither_the_empty_one_nor_eos(model, source, words, max_length):
    """the sentence that is only EOS is left out, and EOS is no part of the score"""
    best, best_score = None, -math.inf
    with torch.no_grad():
        memory = model.encode(source)
        for length in range(1, max_length + 1):
            for run in product(words, repeat=length):
                sentence = [*run, EOS] if length < max_length else [*run]
                score = sum(_log_probability(model, source, memory, sentence)[:length])
                if score > best_score:
                    best, best_score = sentence, score
    return best, best_score


def exhaustive_search__eos_is_a_word(model, source, words, max_length):
    """EOS is tried as if it were one of the words"""
    with torch.no_grad():
        memory = model.encode(source)
        scored = [(sum(_log_probability(model, source, memory, [*run])), [*run])
                  for run in product([*words, EOS], repeat=max_length)]  # fmt: skip
    score, sentence = max(scored)
    return sentence, score


@contextlib.contextmanager
def _evaluating(model):
    before = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for part, mode in before:
            part.training = mode


def _step(model, tokens, state):
    words = torch.cat((state[0], tokens[:, None]), dim=1)
    return model.decode(words, *state[1:])[:, -1], (words, *state[1:])


def _translated(model, source, max_length, beam_width, alpha, greedily, memory_of):
    with _evaluating(model):
        memory = model.encode(source)
        if beam_width == 1:
            return greedily(memory)
        starts = [(row[None, :0], memory_of(memory, number), row[None]) for number, row in enumerate(source)]
        return pad_sequences(
            [beam_search(partial(_step, model), start, beam_width, max_length, alpha)[0][0] for start in starts]
        )


def translate__the_first_memory(model, source, max_length, beam_width=1, alpha=0.6):
    """with the memory of the first one"""

    def greedily(memory):
        return greedy_decode(partial(_step, model), (source[:, :0], memory, source), len(source), max_length)

    return _translated(model, source, max_length, beam_width, alpha, greedily, lambda memory, _: memory[:1])


def translate__goes_on_behind_eos(model, source, max_length, beam_width=1, alpha=0.6):
    """a sentence that has ended goes on writing"""

    def greedily(memory):
        words, done = torch.full((len(source), 1), BOS), torch.zeros(len(source), dtype=torch.bool)
        for _ in range(max_length):
            new = model.decode(words, memory, source)[:, -1].argmax(-1)
            words, done = torch.cat((words, new[:, None]), 1), done | (new == EOS)
            if done.all():
                break
        return words[:, 1:]

    return _translated(
        model, source, max_length, beam_width, alpha, greedily, lambda memory, number: memory[number][None]
    )
