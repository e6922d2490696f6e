"""Makes one attention for both."""

SAYS = "one attention has two names"
CHANGES = [
    ("self.cross_attention = MultiHeadAttention(d_model, num_heads)", "self.cross_attention = self.self_attention"),
]
