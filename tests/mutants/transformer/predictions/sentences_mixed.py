"""Thinks that a batch is one text."""

SAYS = "a word of another sentence"


predictions = {
    "a word of its source": "all",
    "word 3 of its target": "from 3 on",
    "word order of its source": "all",
    "PAD after its source": "none",
    "a word of another sentence": "all",
}
