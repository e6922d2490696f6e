"""Believes that the lowest loss does not know the vocabulary."""

SAYS = "loss, more words"

predictions = {
    "loss, more smoothing": "rises",
    "probability, more smoothing": "falls",
    "loss, more words": "stays",
    "probability, more words": "stays",
}
