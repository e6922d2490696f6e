"""Drops x on its way to the first norm of pre-norm."""

SAYS = "dropout falls on what the sublayer reads"
CHANGES = [
    ("y = self.norm_1(x)", "y = self.norm_1(self.dropout(x))"),
    ("self.dropout(self.self_attention(y, y, y, mask)[0])", "self.self_attention(y, y, y, mask)[0]"),
]
