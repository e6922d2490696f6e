"""Counts padding as words."""

SAYS = "padding counts"
CHANGES = [
    (
        "(labels != pad_id).sum().item()",
        "labels.numel()",
    ),
]
