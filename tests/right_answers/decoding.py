"""Right answers to exercise 11 in unusual forms: loops over heads and words, lists of beginnings, other sums.

A function belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch

from transformer_course.common import validation as given
from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.rnn_encoder_decoder import beam_search
from transformer_course.sequence_transduction import pad_sequences


def cached_attention__head_by_head(attention, x, cache):
    """Give each head its columns in a loop, and weigh with exponentials."""
    given.require_shape("x", x, ("batch", 1, attention.d_model))
    given.require_cache("cache", cache, (len(x), attention.num_heads, "length", attention.d_k))
    query, key, value = (layer(x)[:, 0] for layer in (attention.w_query, attention.w_key, attention.w_value))
    outputs, keys, values = [], [], []
    for head in range(attention.num_heads):
        columns = slice(head * attention.d_k, (head + 1) * attention.d_k)
        old = [x[:, :0, columns]] * 2 if cache is None else [part[:, head] for part in cache]
        keys.append(torch.cat([old[0], key[:, None, columns]], dim=1))
        values.append(torch.cat([old[1], value[:, None, columns]], dim=1))
        scores = (keys[-1] * query[:, None, columns]).sum(dim=-1) / math.sqrt(attention.d_k)  # (batch, length + 1)
        powers = (scores - scores.logsumexp(dim=1, keepdim=True)).exp()
        outputs.append((powers[:, :, None] * values[-1]).sum(dim=1))
    return attention.w_output(torch.cat(outputs, dim=-1)[:, None]), [torch.stack(keys, 1), torch.stack(values, 1)]


def cached_attention__room_made_first(attention, x, cache):
    """Make room for one more position, and write into it."""
    given.require_shape("x", x, ("batch", 1, attention.d_model))
    given.require_cache("cache", cache, (len(x), attention.num_heads, "length", attention.d_k))
    query, key, value = (
        layer(x).unflatten(-1, (attention.num_heads, attention.d_k)).movedim(2, 1)
        for layer in (attention.w_query, attention.w_key, attention.w_value)
    )
    longer = []
    for place, new in enumerate((key, value)):
        old = new[:, :, :0] if cache is None else cache[place]
        room = torch.nn.functional.pad(old, (0, 0, 0, 1))
        room[:, :, -1:] += new
        longer.append(room)
    scores = torch.einsum("bhqd,bhkd->bhqk", query * attention.d_k**-0.5, longer[0])
    mixed = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(3), longer[1])
    return attention.w_output(mixed.flatten(2)), tuple(longer)


def _require(source, max_length, beam_width):
    given.require_shape("source", source, ("batch", "source_length"))
    given.require_not_negative("max_length", max_length)
    given.require_positive("beam_width", beam_width)


@torch.inference_mode()
def translate__own_loop(model, source, max_length, beam_width=1, alpha=0.6):
    """Write greedily in a loop of its own; keep the memory outside the state, where it does not change."""
    _require(source, max_length, beam_width)
    modes = {module: module.training for module in model.modules()}
    model.train(False)
    try:
        memory, rows = model.encode(source), []
        if beam_width == 1:
            target, ended = torch.full((len(source), 1), BOS), torch.zeros(len(source)).bool()
            while target.shape[1] <= max_length and not ended.all():
                word = model.decode(target, memory, source)[:, -1].softmax(-1).max(-1).indices
                word = torch.where(ended, PAD, word)
                target, ended = torch.cat([target, word[:, None]], 1), ended | (word == EOS)
            return target[:, 1:].clone()
        for number in range(len(source)):

            def step(tokens, state, number=number):
                words = torch.column_stack([state, tokens])
                logits = model.decode(
                    words, *(part[number : number + 1].repeat_interleave(len(words), 0) for part in (memory, source))
                )
                return logits[:, -1], words

            rows.append(beam_search(step, source[:1, :0], beam_width, max_length, alpha)[0][0])
        return pad_sequences(rows)
    finally:
        for module in modes:
            module.train(modes[module]) if not list(module.children()) else setattr(module, "training", modes[module])


def translate__always_a_beam(model, source, max_length, beam_width=1, alpha=0.6):
    """Search in all cases but the greedy one, in which every sentence keeps its own list of words."""
    _require(source, max_length, beam_width)
    modes = [module.training for module in model.modules()]
    [module.__setattr__("training", False) for module in model.modules()]
    grad = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        if beam_width > 1:
            rows = []
            for row in source:
                start = (row[None], model.encode(row[None]), row[None, :0])

                def step(tokens, state):
                    words = torch.cat([state[2], tokens.reshape(-1, 1)], -1)
                    return model.decode(words, state[1], state[0]).select(1, -1), (state[0], state[1], words)

                rows.append(max(beam_search(step, start, beam_width, max_length, alpha), key=lambda pair: pair[1])[0])
            return pad_sequences(rows)
        memory, rows = model.encode(source), [[] for _ in source]
        for length in range(max_length):
            if all(EOS in row for row in rows):
                break
            target = torch.tensor([[BOS, *row, *[PAD] * (length - len(row))] for row in rows])
            for row, word in zip(rows, model.decode(target, memory, source)[:, length].argmax(1).tolist(), strict=True):
                row += [] if EOS in row else [word]
        return pad_sequences(rows)
    finally:
        torch.set_grad_enabled(grad)
        for module, mode in zip(model.modules(), modes, strict=True):
            module.training = mode


def corpus_bleu__taken_out_of_a_list(hypotheses, references, max_order=4):
    """Take each right n-gram out of a list, and add logarithms."""
    given.require_positive("max_order", max_order)
    given.require_corpus(hypotheses, references)
    c, r, total = sum(map(len, hypotheses)), sum(map(len, references)), 0.0
    for n in range(max_order):
        right = written = 0
        for one, other in zip(hypotheses, references, strict=True):
            left = [list(other[i : i + n + 1]) for i in range(len(other) - n)]
            for gram in (list(one[i : i + n + 1]) for i in range(len(one) - n)):
                written += 1
                right += gram in left
                left.remove(gram) if gram in left else None
        if not right:
            return 0
        total += math.log2(right / written)
    return 100 * 2 ** (total / max_order) * (1 if c > r else math.e ** (1 - r / c))


def corpus_bleu__dictionaries_of_all_orders(hypotheses, references, max_order=4):
    """Count all orders of a sentence at once in one dictionary."""
    given.require_positive("max_order", max_order)
    given.require_corpus(hypotheses, references)

    def counts(text):
        table = {}
        for start in range(len(text)):
            for end in range(start + 1, min(start + max_order, len(text)) + 1):
                gram = tuple(text[start:end])
                table[gram] = table.get(gram, 0) + 1
        return table

    right, written = torch.zeros(max_order).double(), torch.zeros(max_order).double()
    for one, other in zip(map(counts, hypotheses), map(counts, references), strict=True):
        for gram, number in one.items():
            written[len(gram) - 1] += number
            right[len(gram) - 1] += min(number, other.get(gram, 0))
    if not right.all():
        return 0.0
    c, r = (sum(len(text) for text in side) for side in (hypotheses, references))
    return (100 * (right / written).log().mean().exp() * math.exp(-max(r / c - 1, 0))).item()


def exhaustive_search__recursion(model, source, words, max_length):
    """Go through the tree of words."""
    with torch.no_grad():
        memory = model.encode(source)

        def best(beginning, total):
            row = model.decode(torch.tensor([[BOS, *beginning]]), memory, source)[0, -1].log_softmax(0).tolist()
            found = [(total + row[EOS], [*beginning, EOS])]
            for word in words:
                longer, score = [*beginning, word], total + row[word]
                found += [(score, longer)] if len(longer) == max_length else [best(longer, score)]
            return max(found)

        score, sentence = best([], 0.0)
    return [sentence, score]


def exhaustive_search__level_by_level(model, source, words, max_length):
    """Grow all beginnings by a word at a time, and keep the best that has ended."""
    living, best = [([], 0.0)], ([], -math.inf)
    with torch.no_grad():
        memory = model.encode(source)
        for length in range(max_length):
            target = torch.tensor([[BOS, *sentence] for sentence, _ in living])
            many = len(living)
            logits = model.decode(target, memory.repeat(many, 1, 1), source.repeat(many, 1))[:, -1]
            rows = (logits - logits.logsumexp(1, keepdim=True)).tolist()
            longer = [([*s, w], total + row[w]) for (s, total), row in zip(living, rows, strict=True)
                      for w in (EOS, *words)]  # fmt: skip
            ended = [pair for pair in longer if pair[0][-1] == EOS or length == max_length - 1]
            best = max([best, *ended], key=lambda pair: pair[1])
            living = [pair for pair in longer if pair[0][-1] != EOS]
    return best


def fixed_steps__all_at_once(embedding, attention, output_layer, tokens):
    """Compute all positions at once, with a causal mask."""
    x = embedding(tokens)
    return output_layer(attention(x, x, x, torch.ones(2 * tokens.shape[1:], dtype=torch.bool).tril())[0])


def fixed_steps__the_beginning_anew(embedding, attention, output_layer, tokens):
    """Compute every beginning anew, and keep its last row."""
    rows = []
    for end in range(1, tokens.shape[1] + 1):
        x = embedding(tokens[:, :end])
        rows.append(attention(x[:, -1:], x, x)[0])
    return output_layer(torch.cat(rows, dim=1))
