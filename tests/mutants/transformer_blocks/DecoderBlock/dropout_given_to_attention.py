"""Hands dropout to the attentions, whose third argument is bias."""

SAYS = "an extra argument was passed to MultiHeadAttention"
CHANGES = [
    (
        "self.self_attention = MultiHeadAttention(d_model, num_heads)",
        "self.self_attention = MultiHeadAttention(d_model, num_heads, dropout)",
    ),
    (
        "self.cross_attention = MultiHeadAttention(d_model, num_heads)",
        "self.cross_attention = MultiHeadAttention(d_model, num_heads, dropout)",
    ),
]
