"""Drops what the feed-forward says, and not what attention says."""

SAYS = "missing on what is added by self_attention"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, self_mask)[0])",
        "x = x + (self.self_attention(y, y, y, self_mask)[0])",
    ),
]
