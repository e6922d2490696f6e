"""Lets sentences that have ended go on."""

SAYS = "goes on writing"
CHANGES = [
    (
        "tokens = logits.argmax(dim=1).masked_fill(ended, pad_id)  # (batch,)",
        "tokens = logits.argmax(dim=1)",
    ),
]
