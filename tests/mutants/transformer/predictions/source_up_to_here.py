"""Thinks that the source is read step by step."""

SAYS = "a word of its source"


predictions = {
    "a word of its source": "from 3 on",
    "word 3 of its target": "from 3 on",
    "word order of its source": "all",
    "PAD after its source": "none",
    "a word of another sentence": "none",
}
