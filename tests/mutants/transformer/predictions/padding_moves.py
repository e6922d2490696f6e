"""Thinks that padding counts."""

SAYS = "PAD after its source"


predictions = {
    "a word of its source": "all",
    "word 3 of its target": "from 3 on",
    "word order of its source": "all",
    "PAD after its source": "all",
    "a word of another sentence": "none",
}
