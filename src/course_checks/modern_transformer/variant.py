"""What a variant of exercise 18 is drawn from."""

import torch

from course_checks.modern_transformer.predictions import predictions
from course_checks.modern_transformer.rms_norm import right as normalised
from course_checks.modern_transformer.rotate import right as rotated
from course_checks.predictions import tendency
from course_checks.variants import Bug, Hunt, Question, Questions

hunt = Hunt(
    "Llamas as `transformers` stores them rotate columns $j$ and $j + d_k/2$ of each head together, not $2i$ and "
    "$2i + 1$. To load one into your block, the rows of `w_query` and `w_key` must be permuted: in each head, row $i$ "
    "of the first half becomes row $2i$, and row $i$ of the second half becomes row $2i + 1$. "
    "`fixed_rows(rows, num_heads)` does that for rows `(num_heads * d_k, ...)`.",
    (
        Bug(
            "result[start + 2 * i] = rows[start + i]",
            "result[start + 2 * i] = rows[start + 2 * i]",
            "the first half is left where it is",
        ),
        Bug(
            "result[start + 2 * i] = rows[start + i]",
            "result[start + 2 * i] = rows[start + d_k // 2 - 1 - i]",
            "the first half is turned around",
        ),
        Bug(
            "result[start + 2 * i] = rows[start + i]",
            "result[start + 2 * i] = rows[start + d_k // 2 + i]",
            "the second half is taken",
        ),
        Bug(
            "result[start + 2 * i] = rows[start + i]",
            "result[start + 2 * i] = rows[i]",
            "all heads take the rows of the first",
        ),
        Bug(
            "result[start + 2 * i + 1] = rows[start + d_k // 2 + i]",
            "result[start + 2 * i + 1] = rows[start + i + 1]",
            "the next row, not that of the second half",
        ),
        Bug(
            "result[start + 2 * i + 1] = rows[start + d_k // 2 + i]",
            "result[start + 2 * i + 1] = rows[start + d_k - 1 - i]",
            "the second half is turned around",
        ),
        Bug(
            "result[start + 2 * i + 1] = rows[start + d_k // 2 + i]",
            "result[start + 2 * i + 1] = rows[start + i]",
            "the first half is taken",
        ),
        Bug(
            "result[start + 2 * i + 1] = rows[start + d_k // 2 + i]",
            "result[start + 2 * i + 1] = rows[d_k // 2 + i]",
            "all heads take the rows of the first",
        ),
    ),
)


X = torch.tensor([[0.5, -1.0, 2.0, 0.25, -0.75, 1.5]])


class _Block:
    """Counts what a block keeps and learns, as the learner's own block shows it."""

    def __init__(self, d_model: int, num_heads: int, num_groups: int, d_ff: int):
        width = d_model // num_heads
        self.kept, self.query, self.network = 2 * num_groups * width, d_model * d_model, 3 * d_model * d_ff


def _asked(key: str, text: str, before: str, after: str) -> Question:
    names = {"x": X, "ones": torch.ones(6), "torch": torch, "rms_norm": normalised, "rotate": rotated,
             "score": lambda query_at, key_at: float((rotated(X, torch.tensor([query_at]))
                                                      * rotated(X.flip(-1) + 1, torch.tensor([key_at]))).sum()),
             "kept": lambda *sizes: _Block(*sizes, 256).kept, "query": lambda *sizes: _Block(*sizes, 256).query,
             "network": lambda d_ff: _Block(96, 8, 2, d_ff).network}  # fmt: skip
    shows = f'print(f"{key}: {{float({before}):.4g}} -> {{float({after}):.4g}}")'
    return Question(key, text, lambda: tendency(float(eval(before, names)), float(eval(after, names))), shows)


questions = Questions(
    predictions,
    "What happens to",
    'Answer each with `"rises"`, `"stays"` or `"falls"`. The cell below the check measures it with your own functions; '
    "you may come back. If you change a word afterwards, leave your first guess beside it as a comment: what surprised "
    "you is what you have learned.",
    "run-predictions",
    """x, ones = torch.tensor([[0.5, -1.0, 2.0, 0.25, -0.75, 1.5]]), torch.ones(6)


def score(query_at, key_at):
    query, key = rotate(x, torch.tensor([query_at])), rotate(x.flip(-1) + 1, torch.tensor([key_at]))
    return (query * key).sum()


def kept(d_model, num_heads, num_groups):
    block = ModernBlock(d_model, num_heads, num_groups, d_ff=256)
    return block.w_key.out_features + block.w_value.out_features


def query(d_model, num_heads, num_groups):
    return ModernBlock(d_model, num_heads, num_groups, d_ff=256).w_query.weight.numel()


def network(d_ff):
    block = ModernBlock(96, 8, 2, d_ff=d_ff)
    return sum(block.get_submodule(name).weight.numel() for name in ("w_gate", "w_up", "w_down"))


ROWS""",
    (
        _asked("size, smaller numbers", "the length of the vector that `rms_norm` returns, with gains of 1, when every "
               "number of `x` becomes a tenth", "rms_norm(x, ones).norm()", "rms_norm(x / 10, ones).norm()"),
        _asked("size, gains of 2", "the length of the vector that `rms_norm` returns, when all gains go from 1 to 2",
               "rms_norm(x, ones).norm()", "rms_norm(x, 2 * ones).norm()"),
        _asked("length after rotation", "the length of a query after `rotate`, when its position goes from 3 to 300",
               "rotate(x, torch.tensor([3])).norm()", "rotate(x, torch.tensor([300])).norm()"),
        _asked("score, both back", "the dot product of a query at position 107 and a key at 105 after `rotate`, when "
               "both move 100 back", "score(107, 105)", "score(7, 5)"),
        _asked("cache, one group", "the number of numbers that a decoder keeps for each token, when a block of width "
               "96 with 8 heads gets 1 group in the place of 2", "kept(96, 8, 2)", "kept(96, 8, 1)"),
        _asked("cache, more heads", "the number of numbers that a decoder keeps for each token, when a block of width "
               "96 with 2 groups gets 16 heads in the place of 8", "kept(96, 8, 2)", "kept(96, 16, 2)"),
        _asked("projection, fewer groups", "the number of weights of `w_query`, when a block of width 96 with 8 heads "
               "gets 2 groups in the place of 8", "query(96, 8, 8)", "query(96, 8, 2)"),
        _asked("network, d_ff kept", "the number of weights, when ReLU's two matrices with `d_ff = 384` give way to "
               "the three of `swiglu` with `d_ff = 384` (width 96)", "2 * 96 * 384", "network(384)"),
        _asked("network, half as wide", "the number of weights, when ReLU's two matrices with `d_ff = 384` give way to "
               "the three of `swiglu` with `d_ff = 192` (width 96)", "2 * 96 * 384", "network(192)"),
    ),
)  # fmt: skip
