"""What a variant of exercise 16 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_cross_attention` lets words look at a picture that a convolutional network has read: `features` has "
    "shape `(batch, d, rows, columns)`, a vector of `d` features for each place of a grid; `words` has shape "
    "`(batch, m, d)`, and the three matrices `(d, d)`. It returns the output `(batch, m, d)` and the weights "
    "`(batch, m, rows * columns)`, places row by row. Try it on features of your own: numbers by which you "
    "recognise each place.",
    (
        Bug(
            "patches = features.flatten(start_dim=2).transpose(1, 2)",
            "patches = features.transpose(2, 3).flatten(start_dim=2).transpose(1, 2)",
            "the places come column by column",
        ),
        Bug(
            "patches = features.flatten(start_dim=2).transpose(1, 2)",
            "patches = features.flatten(start_dim=2).flip(2).transpose(1, 2)",
            "the places come from the end",
        ),
        Bug("query = words @ w_query", "query = words @ w_key", "the words are projected like the keys"),
        Bug("query = words @ w_query", "query = words", "the words are not projected"),
        Bug("key = patches @ w_key", "key = patches @ w_query", "the keys are projected like the words"),
        Bug("value = patches @ w_value", "value = patches @ w_key", "the values are the keys"),
        Bug("value = patches @ w_value", "value = patches", "the values are not projected"),
        Bug(
            "weights = torch.softmax(query @ key.transpose(1, 2) / math.sqrt(d), dim=-1)",
            "weights = torch.softmax(query @ key.transpose(1, 2) / math.sqrt(d), dim=1)",
            "the words share the weight among them",
        ),
        Bug(
            "weights = torch.softmax(query @ key.transpose(1, 2) / math.sqrt(d), dim=-1)",
            "weights = torch.softmax(query @ key.transpose(1, 2), dim=-1)",
            "the scores are not divided",
        ),
        Bug(
            "return weights @ value, weights",
            "return weights @ patches, weights",
            "the patches are mixed, not the values",
        ),
    ),
)
