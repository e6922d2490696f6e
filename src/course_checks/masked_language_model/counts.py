"""What the checks of `mask_tokens` count, of many tokens: which ones are asked for, and what becomes of them."""

from itertools import product

import torch

from course_checks.masked_language_model.shared import MASK
from course_checks.outcomes import is_tensor
from course_checks.words import Finding, Wrong

SHAPE = "print the shape of what torch.rand returns"


def pair(answer, tokens, *arguments, seed=0, **options):
    """Call with a generator of this seed, and require a pair of tensors of the shape of the tokens."""
    result = answer(tokens, *arguments, **options, generator=torch.Generator().manual_seed(seed))
    if type(result) not in (tuple, list) or len(result) != 2 or not all(map(is_tensor, result)):
        seen = "it returned None" if result is None else "what came back is no pair of tensors"
        raise Finding(seen, "the pair (inputs, labels)", "the return statement",
                      "end with `return inputs, labels`")  # fmt: skip
    for name, part in zip(("inputs", "labels"), result, strict=True):
        if part.shape != tokens.shape or part.dtype != torch.long:
            raise Finding(f"{name} have shape {tuple(part.shape)} and dtype {part.dtype}",
                          f"shape {tuple(tokens.shape)}, as the tokens, and torch.int64",
                          "torch.where between a float and an integer, or a dimension too many",
                          "print shape and dtype of what you return")  # fmt: skip
    return result


def shares(answer, length, *probability):
    """Observe of many ordinary tokens how many are asked for, hidden, replaced, and left as they are."""
    tokens = torch.arange(length) % 90 + 5
    tokens = tokens.repeat(160_000 // length, 1)
    inputs, labels = pair(answer, tokens, MASK, 4000, *probability)
    asked = labels != -100
    kept, hidden = inputs == tokens, inputs == MASK
    parts = [asked.double().mean(), *((asked & x).sum() / asked.sum() for x in (hidden, kept, ~hidden & ~kept)),
             (~asked & ~kept).double().mean()]  # fmt: skip
    return torch.stack([part.double() for part in parts])


def percentages(value):
    """Put into words what `shares` has seen."""
    asked, hidden, kept, replaced, beside = (f"{100 * part:.0f} %" for part in value.tolist())
    return (f"{asked} of the tokens have a label; of these {hidden} are hidden, {replaced} replaced, {kept} stay; "
            f"without a label, but changed: {beside}")  # fmt: skip


shares.seen = percentages
shares.words = Wrong("one of the numbers that decide: whether a token is chosen, or what becomes of a chosen one")


def labels_of(answer, tokens, probability):
    """Observe whether each label is the token itself or -100, and how much changes where nothing is asked."""
    inputs, labels = pair(answer, tokens, MASK, 50, probability)
    asked = labels != -100
    return [bool((labels[asked] == tokens[asked]).all()), bool((inputs[~asked] == tokens[~asked]).all())]


labels_of.seen = lambda value: " and ".join(["a label is neither -100 nor the token itself"] * (not value[0])
                                            + ["a token without a label has changed"] * (not value[1]))  # fmt: skip
labels_of.words = Wrong("labels and inputs are not made with one and the same choice of tokens")


def asked_for(answer, tokens, vocab_size, mask_id, special_ids):
    """Observe which tokens are asked for, with probability 1."""
    _, labels = pair(answer, tokens.repeat(4000, 1), mask_id, vocab_size, 1.0, special_ids)
    return sorted(set(labels.flatten().tolist()))


asked_for.words = Wrong("a token that is special is chosen; or an ordinary one never is")
asked_for.seen = lambda value: f"the labels that occur are {value}"


def put_in(answer, tokens, vocab_size, mask_id, special_ids):
    """Observe which tokens take the place of others, with probability 1."""
    many = tokens.repeat(4000, 1)
    inputs, _ = pair(answer, many, mask_id, vocab_size, 1.0, special_ids)
    return sorted(set(inputs[inputs != many].tolist()))


put_in.words = Wrong("a token that is special can be drawn as a random one; or an ordinary one cannot")
put_in.seen = lambda value: f"the tokens that take the place of chosen ones are {value}, mask_id among them"


def hidden_of_two(answer, tokens):
    """Observe how many tokens become mask_id, where there are two ordinary ones to draw from."""
    inputs, _ = pair(answer, tokens.repeat(20_000, 1), MASK, 7, 1.0)
    return (inputs == MASK).double().mean()


hidden_of_two.seen = lambda value: f"{100 * value.item():.0f} % of the tokens become mask_id"


def spread(answer, vocab_size, mask_id, special_ids):
    """Observe how often each token of the vocabulary is put in at random, as a share of all that are put in."""
    ordinary = next(i for i in range(vocab_size) if i not in (*special_ids, mask_id))
    tokens = torch.full((300, 400), ordinary)
    inputs, _ = pair(answer, tokens, mask_id, vocab_size, 1.0, special_ids)
    random = inputs[(inputs != ordinary) & (inputs != mask_id)]
    return torch.bincount(random, minlength=vocab_size).double() / max(len(random), 1)


spread.seen = lambda value: "the shares of the tokens 0, 1, 2, ... among the random ones are " + ", ".join(
    f"{100 * share:.0f} %" for share in value.tolist())  # fmt: skip
spread.words = Wrong("random tokens are drawn from other numbers than those of the ordinary tokens")


def together(answer, batch, length):
    """Observe how evenly gaps are spread: standard deviations of their number by sentence and by position."""
    inputs, labels = pair(answer, torch.full((batch, length), 7), MASK, 50, 0.5)
    asked, hidden = (labels != -100).double(), (inputs == MASK).double()
    spread = torch.stack([x.mean(dim).std() for x in (asked, hidden) for dim in (1, 0)])
    return spread.clamp(max=0.06)  # by chance it is half as much; how much more a mistake makes it is chance again


def uneven(value):
    """Put into words what `together` has seen."""
    parts = [f"the share of {what} varies {'more' if much > 0.03 else 'less'} than by chance from {which}"
             for (what, which), much in zip(product(("tokens with a label", "hidden tokens"), (
                 "sentence to sentence", "place to place")), value.tolist(), strict=True)
             if not 0.019 < much < 0.035]  # fmt: skip
    return "; ".join(parts) or "the shares of tokens with a label and of hidden tokens vary in another way"


together.seen = uneven
together.words = Wrong("one number decides for several tokens at once", "", SHAPE)


def repeated(answer, tokens):
    """Observe whether the same generator gives the same gaps, and another one, or the next call, others."""
    torch.manual_seed(1)
    first = pair(answer, tokens, MASK, 50, 0.5)
    torch.manual_seed(2)
    again, other = pair(answer, tokens, MASK, 50, 0.5), pair(answer, tokens, MASK, 50, 0.5, seed=1)
    same = [all(torch.equal(*each) for each in zip(first, x, strict=True)) for x in (again, other)]
    generator = torch.Generator().manual_seed(0)
    twice = [answer(tokens, MASK, 50, 0.5, generator=generator)[1] for _ in range(2)]
    return [*same, torch.equal(*twice)]


repeated.seen = lambda value: "; ".join(
    ["the same seed gives other inputs or labels"] * (not value[0]) + ["another seed gives the same gaps"] * value[1]
    + ["the next call gives the same gaps"] * value[2])  # fmt: skip
repeated.words = Wrong("a draw that does not come from `generator`, or one that seeds it anew")
