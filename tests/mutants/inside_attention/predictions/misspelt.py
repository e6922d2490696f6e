"""Writes a word that is no answer."""

SAYS = "missing or misspelt"


predictions = {
    "cosine of random maps": "about a half",
    "share of the largest entropy": "about a half",
    "loss without one twin": "nothing",
}
