"""Tries only sentences without EOS."""

SAYS = "end early with EOS are left out"
CHANGES = [
    (
        """    sentences = [[*each, EOS] for length in range(max_length) for each in product(words, repeat=length)]
    sentences += """,
        "    sentences = ",
    )
]
