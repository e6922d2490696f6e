"""What a variant of exercise 08 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_embedding(tokens, table, encoding)` is the input of a Transformer: the row of the table for each word, "
    "times $\\sqrt{d_{model}}$, plus the encoding of its place. `tokens` has shape `(batch, length)`, `table` "
    "`(vocab_size, d_model)`, `encoding` `(max_length, d_model)`, and the result `(batch, length, d_model)`. Give "
    "it two equal sentences, and a sentence with one word twice: which vectors should be the same?",
    (
        Bug("embedded = table[tokens]", "embedded = table[tokens - 1]", "each word gets the row of the one before it"),
        Bug(
            "embedded = table[tokens]",
            "embedded = table[tokens.sort(dim=1).values]",
            "the words of a sentence are sorted",
        ),
        Bug(
            "embedded = embedded * math.sqrt(table.shape[-1])",
            "embedded = embedded * table.shape[-1]",
            "the root is missing",
        ),
        Bug(
            "embedded = embedded * math.sqrt(table.shape[-1])",
            "embedded = embedded * math.sqrt(table.shape[0])",
            "the root of the number of words in the table",
        ),
        Bug(
            "positions = encoding[: tokens.shape[1]]",
            "positions = encoding[-tokens.shape[1] :]",
            "the last places of the table, not the first",
        ),
        Bug(
            "positions = encoding[: tokens.shape[1]]",
            "positions = encoding[: tokens.shape[1]].flip(0)",
            "counted from the end of the sentence",
        ),
        Bug(
            "positions = encoding[: tokens.shape[1]]",
            "positions = encoding[: tokens.shape[1]].mean(dim=0)",
            "every place gets the same",
        ),
        Bug("return embedded + positions", "return embedded * positions", "multiplied in the place of added"),
    ),
)
