"""Has max_length words and EOS behind them."""

SAYS = "cut at max_length"
SAME_AS = "cut_ones_left_out"
CHANGES = [
    ("for length in range(max_length) for", "for length in range(max_length + 1) for"),
    (
        """    sentences += [list(each) for each in product(words, repeat=max_length)]
""",
        "",
    ),
]
