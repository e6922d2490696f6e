"""Believes that a share of each further word is taken from the right one."""

SAYS = "probability, more words"

predictions = {
    "loss, more smoothing": "rises",
    "probability, more smoothing": "falls",
    "loss, more words": "rises",
    "probability, more words": "falls",
}
