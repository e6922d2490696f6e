"""Expects that half of the signal is worth half of the loss."""

SAYS = "look again at: loss"


predictions = {
    "cosine of random maps": "about a half",
    "share of the largest entropy": "about a half",
    "loss without one twin": "about a half",
}
