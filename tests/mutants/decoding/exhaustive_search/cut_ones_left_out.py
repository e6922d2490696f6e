"""Leaves out what was cut."""

SAYS = "cut at max_length are left out"
CHANGES = [
    (
        """    sentences += [list(each) for each in product(words, repeat=max_length)]
""",
        "",
    )
]
