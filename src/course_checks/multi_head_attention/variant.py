"""What a variant of exercise 07 is drawn from."""

from course_checks.multi_head_attention.counts import predictions, right_flops, right_parameters
from course_checks.variants import Bug, Hunt, Question, Questions

hunt = Hunt(
    "`fixed_heads(query, key, value, num_heads)` is attention with several heads whose inputs are projected "
    "already: `query` `(batch, query_length, d_model)`, `key` and `value` `(batch, key_length, d_model)`. Head 0 "
    "takes the first `d_k` columns, head 1 the next ones, and so on; the heads come out side by side in the same "
    "order. It returns the output `(batch, query_length, d_model)`. Fill `value` with numbers that say which word "
    "and which column they come from: what may the output of one head hold?",
    (
        Bug(
            "query, key, value = (x.reshape(batch, -1, num_heads, d_k).transpose(1, 2) for x in (query, key, value))",
            "query, key, value = (x.reshape(batch, num_heads, -1, d_k) for x in (query, key, value))",
            "words are cut into heads, not columns",
        ),
        Bug(
            "query, key, value = (x.reshape(batch, -1, num_heads, d_k).transpose(1, 2) for x in (query, key, value))",
            "query, key, value = (x.reshape(batch, -1, d_k, num_heads).permute(0, 3, 1, 2) for x in (query, key, "
            "value))",
            "a head takes every so-and-so-many-th column, not neighbours",
        ),
        Bug(
            "scores = query @ key.transpose(-2, -1) / d_k**0.5",
            "scores = query @ key.transpose(-2, -1) / d_k",
            "the root is missing",
        ),
        Bug(
            "scores = query @ key.transpose(-2, -1) / d_k**0.5",
            "scores = query @ key.transpose(-2, -1) / num_heads**0.5",
            "the root of the number of heads",
        ),
        Bug(
            "scores = query @ key.transpose(-2, -1) / d_k**0.5",
            "scores = query @ key.transpose(-2, -1)",
            "the scores are not divided",
        ),
        Bug(
            "mixed = torch.softmax(scores, dim=-1) @ value",
            "mixed = torch.softmax(scores, dim=1) @ value",
            "the heads share the weight among them",
        ),
        Bug(
            "mixed = torch.softmax(scores, dim=-1) @ value",
            "mixed = torch.softmax(scores, dim=-2) @ value",
            "the queries share the weight among them",
        ),
        Bug(
            "return mixed.transpose(1, 2).reshape(batch, query_length, d_model)",
            "return mixed.permute(0, 2, 3, 1).reshape(batch, query_length, d_model)",
            "the columns of the heads alternate",
        ),
    ),
)


def _counted(key: str, text: str, before: str, after: str) -> Question:
    def measure() -> str:
        names = {"parameter_count": right_parameters, "attention_flops": right_flops}
        one, other = eval(before, names), eval(after, names)
        return "stays" if one == other else "rises" if one < other else "falls"

    return Question(key, text, measure, f'print("{key}:", {before}, "->", {after})')


_ALL, _PROJECTIONS = (
    "attention_flops(100, 100, 512, 8)",
    "the multiply-accumulates of the four projections, as a share ",
)
questions = Questions(
    predictions,
    "A model has $d_{model} = 512$, 8 heads and sentences of 100 words. You change one thing; all else stays. What "
    "happens to the number of",
    'Answer each with `"rises"`, `"stays"` or `"falls"`. A multiply-accumulate is one product inside a matrix product, '
    "and the weights are what comes out of softmax. Guess; a cell after task 5 shows it, the cell before it compares, "
    "and you may come back.",
    "run-table",
    "ROWS",
    (
        _counted("parameters, more words", "numbers that the four projections learn, with 200 words",
                 "parameter_count(512, 8)", "parameter_count(512, 8)"),
        _counted("parameters, more heads", "numbers that the four projections learn, with 16 heads",
                 "parameter_count(512, 8)", "parameter_count(512, 16)"),
        _counted("weights, wider", "attention weights, with $d_{model} = 1024$", "8 * 100 * 100", "8 * 100 * 100"),
        _counted("weights, fewer heads", "attention weights, with 2 heads", "8 * 100 * 100", "2 * 100 * 100"),
        _counted("weights a word, more words", "attention weights for each word, with 200 words",
                 "8 * 100 * 100 // 100", "8 * 200 * 200 // 200"),
        _counted("work, fewer heads", "multiply-accumulates, with 2 heads", _ALL, "attention_flops(100, 100, 512, 2)"),
        _counted("work a word, fewer words", "multiply-accumulates for each word, with 50 words",
                 f"{_ALL} // 100", "attention_flops(50, 50, 512, 8) // 50"),
        _counted("share, more words", f"{_PROJECTIONS}of all, with 1000 words",
                 f"4 * 100 * 512 * 512 / {_ALL}", "4 * 1000 * 512 * 512 / attention_flops(1000, 1000, 512, 8)"),
        _counted("share, wider", f"{_PROJECTIONS}of all, with $d_{{model}} = 1024$",
                 f"4 * 100 * 512 * 512 / {_ALL}", "4 * 100 * 1024 * 1024 / attention_flops(100, 100, 1024, 8)"),
        _counted("share, more heads", f"{_PROJECTIONS}of all, with 16 heads",
                 f"4 * 100 * 512 * 512 / {_ALL}", "4 * 100 * 512 * 512 / attention_flops(100, 100, 512, 16)"),
    ),
)  # fmt: skip
