"""Thinks of attention without positions."""

SAYS = "word order of its source"


predictions = {
    "a word of its source": "all",
    "word 3 of its target": "from 3 on",
    "word order of its source": "none",
    "PAD after its source": "none",
    "a word of another sentence": "none",
}
