"""What a variant of exercise 04 is drawn from."""

import math

from course_checks.predictions import tendency
from course_checks.scaled_dot_product_attention.mean_largest_weight import predictions
from course_checks.scaled_dot_product_attention.mean_largest_weight import right as largest
from course_checks.variants import Bug, Hunt, Question, Questions

hunt = Hunt(
    "`fixed_attention(query, key, value, mask=None)` is the attention of task 5: it returns the output and the "
    'weights, it works for any widths, and True in the mask means "may be attended to".',
    (
        Bug("scores = scores / math.sqrt(query.shape[-1])", "scores = scores / query.shape[-1]", "the root is missing"),
        Bug(
            "scores = scores / math.sqrt(query.shape[-1])",
            "scores = scores / math.sqrt(key.shape[-2])",
            "divided by the root of the number of keys",
        ),
        Bug(
            "scores = scores / math.sqrt(query.shape[-1])",
            "scores = scores * math.sqrt(query.shape[-1])",
            "multiplied in the place of divided",
        ),
        Bug(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(mask, -math.inf)",
            "the mask is read the other way round",
        ),
        Bug(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask, 0.0)",
            "a hidden score becomes 0, which still has a weight",
        ),
        Bug(
            "scores = scores.masked_fill(~mask, -math.inf)",
            "scores = scores.masked_fill(~mask, scores.min())",
            "a hidden key gets the lowest score, not none",
        ),
        Bug(
            "weights = torch.softmax(scores, dim=-1)",
            "weights = torch.softmax(scores, dim=-2)",
            "the weights are shared among the queries",
        ),
        Bug(
            "weights = torch.softmax(scores, dim=-1)",
            "weights = torch.sigmoid(scores)",
            "each weight is made alone, and a row does not sum to 1",
        ),
        Bug(
            "return weights @ value, weights",
            "return weights @ value, scores",
            "the scores are returned in the place of the weights",
        ),
    ),
    "A query that may attend to nothing, and wrong input, are no concern of this task.",
)


def _divided(key: str, formula: str) -> Question:
    def measure() -> str:
        few, many = (largest(d_k, float(eval(key, {"d_k": d_k, "math": math}))) for d_k in (4, 256))
        return tendency(few, many)

    return Question(key, f"if they are divided by ${formula}$", measure, f'    "{key}": lambda d_k: {key},')


questions = Questions(
    predictions,
    "Take queries and keys of $d_k$ independent standard normal numbers, 16 keys for each query, and look at the "
    "*largest* of the 16 weights of a query. The dot products are divided by a number before they go into softmax. On "
    "average over many queries, what happens to the largest weight when $d_k$ goes from 4 to 256",
    'Answer each with `"rises"`, `"stays"` (within a tenth of its value) or `"falls"`. A guess is enough, and it costs '
    "nothing here. In task 4 you measure it; a cell there compares, and then you may come back and correct a word.",
    "run-mean_largest_weight",
    """print("divided by               d_k = 4   d_k = 256")
for name, divide in {
ROWS
}.items():
    few, many = (mean_largest_weight(d_k, float(divide(d_k))) for d_k in (4, 256))
    print(f"{name:22}  {few:8.3f}  {many:10.3f}")""",
    (
        _divided("d_k**0.25", r"\sqrt[4]{d_k}"),
        _divided("2 * math.sqrt(d_k)", r"2\sqrt{d_k}"),
        _divided("d_k / 4", "d_k / 4"),
        _divided("4", "4"),
        _divided("math.log2(d_k)", r"\log_2 d_k"),
        _divided("d_k**2", "d_k^2"),
        _divided("4 * math.sqrt(d_k)", r"4\sqrt{d_k}"),
        _divided("math.sqrt(d_k + 60)", r"\sqrt{d_k + 60}"),
    ),
)
