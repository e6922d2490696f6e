"""What a variant of exercise 09 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_block` is a pre-norm block of an encoder, with its parts handed in as functions of one tensor: the "
    "attention, the feed-forward network, the two norms, and dropout. Each sublayer reads the norm of the stream, "
    "and what it says goes through dropout and is added to the stream. `x` and the result have shape `(batch, "
    "length, d_model)`. Try it with parts for which you know the answer, `lambda x: 0 * x` or `lambda x: 1000 * x` "
    "in the place of one after the other.",
    (
        Bug(
            "x = x + dropout(attend(norm_1(x)))",
            "x = norm_1(x + dropout(attend(x)))",
            "the norm comes after the sublayer",
        ),
        Bug("x = x + dropout(attend(norm_1(x)))", "x = dropout(attend(norm_1(x)))", "the stream is not added"),
        Bug(
            "x = x + dropout(attend(norm_1(x)))",
            "x = x + attend(dropout(norm_1(x)))",
            "dropout comes before the attention",
        ),
        Bug(
            "x = x + dropout(attend(norm_1(x)))",
            "x = norm_1(x) + dropout(attend(norm_1(x)))",
            "the norm of the stream is added, not the stream",
        ),
        Bug(
            "return x + dropout(think(norm_2(x)))",
            "return x + dropout(think(norm_1(x)))",
            "the norm of the other sublayer",
        ),
        Bug(
            "return x + dropout(think(norm_2(x)))",
            "return x + dropout(norm_2(think(x)))",
            "the norm comes after the network",
        ),
        Bug(
            "return x + dropout(think(norm_2(x)))",
            "return dropout(x + think(norm_2(x)))",
            "the stream goes through dropout too",
        ),
        Bug(
            "return x + dropout(think(norm_2(x)))",
            "return norm_2(x) + dropout(think(norm_2(x)))",
            "the norm of the stream is added, not the stream",
        ),
    ),
)
