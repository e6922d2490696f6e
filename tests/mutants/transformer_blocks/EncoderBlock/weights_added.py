"""Takes the second result of the attention."""

SAYS = "it raised"
CHANGES = [
    ("self.self_attention(x, x, x, mask)[0]", "self.self_attention(x, x, x, mask)[1]"),
]
