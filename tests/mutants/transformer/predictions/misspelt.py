"""Answers in other words."""

SAYS = "missing or misspelt"


predictions = {
    "a word of its source": "yes",
    "word 3 of its target": "from 3 on",
    "word order of its source": "all",
    "PAD after its source": "none",
    "a word of another sentence": "none",
}
