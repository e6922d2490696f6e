"""Hands dropout to the attention, whose third argument is bias."""

SAYS = "an extra argument was passed to MultiHeadAttention"
CHANGES = [
    ("MultiHeadAttention(d_model, num_heads)", "MultiHeadAttention(d_model, num_heads, dropout)"),
]
