"""Thinks that a word reaches all positions."""

SAYS = "word 3 of its target"


predictions = {
    "a word of its source": "all",
    "word 3 of its target": "all",
    "word order of its source": "all",
    "PAD after its source": "none",
    "a word of another sentence": "none",
}
