"""Believes that a loss can always reach 0."""

SAYS = "loss, more smoothing"

predictions = {
    "loss, more smoothing": "stays",
    "probability, more smoothing": "stays",
    "loss, more words": "stays",
    "probability, more words": "stays",
}
