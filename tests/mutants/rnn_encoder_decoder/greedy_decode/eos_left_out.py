"""Replaces EOS by padding."""

SAYS = "EOS is missing"
CHANGES = [
    (
        "return written",
        "return written.masked_fill(written == eos_id, pad_id)",
    ),
]
