"""Answers in words of its own."""

SAYS = "missing or misspelt"

predictions = {
    "loss, more smoothing": "up",
    "probability, more smoothing": "down",
    "loss, more words": "up",
    "probability, more words": "same",
}
