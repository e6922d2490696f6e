"""Hands dropout on, and forgets the activation."""

SAYS = "activation is not handed on"
CHANGES = [
    ("FeedForward(d_model, d_ff, dropout, activation)", "FeedForward(d_model, d_ff, dropout)"),
]
