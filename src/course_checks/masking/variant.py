"""What a variant of exercise 06 is drawn from."""

import torch

from course_checks.masking.influence import predictions
from course_checks.predictions import tendency
from course_checks.variants import Bug, Hunt, Question, Questions, between

hunt = Hunt(
    "Padding is wasted work, so many programs pack several sentences into one row of tokens: BOS, words, EOS, and "
    "right behind it the next BOS. No padding is left; the last sentence of a row may be cut off by its end. A mask "
    "keeps the sentences apart: each position sees its *own* sentence, from BOS up to itself. "
    "`fixed_packed_mask(tokens, num_heads)` makes it for an attention that keeps examples and heads in one "
    "dimension: the result has shape `(batch * num_heads, length, length)`, first all heads of example 0, then all "
    'heads of example 1, and so on. True means "may be attended to".',
    (
        Bug(
            "sentence = (tokens == BOS).cumsum(dim=1)",
            "sentence = (tokens == BOS).cumsum(dim=0)",
            "counted down the batch, not along the row",
        ),
        Bug(
            "sentence = (tokens == BOS).cumsum(dim=1)",
            "sentence = (tokens == BOS).long()",
            "not counted: all words that are no BOS are one sentence",
        ),
        Bug(
            "sentence = (tokens == BOS).cumsum(dim=1)",
            "sentence = (tokens == BOS).cumsum(dim=1) % 2",
            "every second sentence gets the same number",
        ),
        Bug(
            "same = sentence[:, :, None] == sentence[:, None, :]",
            "same = sentence[:, :, None] >= sentence[:, None, :]",
            "earlier sentences are seen too",
        ),
        Bug(
            "same = sentence[:, :, None] == sentence[:, None, :]",
            "same = sentence[:, :1, None] == sentence[:, None, :]",
            "all positions get the sentence of the first one",
        ),
        Bug(
            "mask = same & (position[:, None] >= position)",
            "mask = same & (position[:, None] > position)",
            "no position sees itself",
        ),
        Bug(
            "mask = same & (position[:, None] >= position)",
            "mask = same & (position[:, None] <= position)",
            "the later words are seen, not the earlier ones",
        ),
        Bug(
            "mask = same & (position[:, None] >= position)",
            "mask = same | (position[:, None] >= position)",
            "one of the two conditions is enough",
        ),
        Bug(
            "return mask.repeat_interleave(num_heads, dim=0)",
            "return (~mask).repeat_interleave(num_heads, dim=0)",
            "True means hidden",
        ),
    ),
)


def _masked(key: str, text: str, mask: str) -> Question:
    def measure() -> str:
        back = torch.arange(6)[:, None] - torch.arange(6)
        shown = eval(mask, {"back": back, "torch": torch})
        twice = shown.float() @ shown.float() > 0  # what reaches an output by way of one that it sees
        return tendency(shown.sum().item(), twice.sum().item(), tolerance=0.01)

    return Question(key, text, measure, f'    "{key}": {mask},')


questions = Questions(
    predictions,
    "A Transformer has many layers. Take an attention over 6 positions with a mask, and put the same attention on top "
    "of it: the outputs of the first become the keys *and* the values of the second, and the queries stay as they are. "
    "Count the pairs $(i, j)$ for which key $j$ or value $j$ of the first layer has any influence on output $i$ of the "
    "last. From one layer to two, what happens to this number",
    'Answer each with `"rises"`, `"stays"` or `"falls"`. A guess is enough, and it costs nothing here. In task 6 you '
    "measure it; a cell there compares, and then you may come back and correct a word.",
    "run-layers",
    between("for name, mask in {\n", "}.items():"),
    (
        _masked("window of 3", "with a mask that shows each position itself and the two before it",
                "(back >= 0) & (back < 3)"),
        _masked("everything", "without any mask", "back < 6"),
        _masked("itself alone", "with a mask that shows each position only itself", "back == 0"),
        _masked("two too wide", "with a causal mask that also shows each position the next two", "back >= -2"),
        _masked("every second", "with a mask that shows each position itself, the one two places before it, the one "
                "four places before it, and so on", "(back >= 0) & (back % 2 == 0)"),
        _masked("odd distances", "with a mask that shows each position those that lie 1, 3 or 5 places before it",
                "(back > 0) & (back % 2 == 1)"),
        _masked("two or more back", "with a causal mask that hides each position from itself and from the next one",
                "back >= 2"),
        _masked("neighbours", "with a mask that shows each position itself and its neighbours on both sides",
                "back.abs() <= 1"),
        _masked("itself and the first", "with a mask that shows each position itself and the first one",
                "(back == 0) | (torch.arange(6) == 0)"),
    ),
)  # fmt: skip
