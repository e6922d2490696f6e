"""Cuts attention off from the gradient."""

SAYS = "reaches"
CHANGES = [
    (
        "x = x + self.dropout(self.self_attention(y, y, y, mask)[0])",
        "x = x + self.dropout(self.self_attention(y, y, y, mask)[0].detach())",
    ),
]
