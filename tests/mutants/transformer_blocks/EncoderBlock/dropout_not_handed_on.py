"""Hands the activation on, and forgets dropout."""

SAYS = "dropout is not handed on"
CHANGES = [
    ("FeedForward(d_model, d_ff, dropout, activation)", "FeedForward(d_model, d_ff, activation=activation)"),
]
