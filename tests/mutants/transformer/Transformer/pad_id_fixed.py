"""Takes PAD for padding always."""

SAYS = "pad_id 3"
CHANGES = [
    ("self.pad_id = pad_id", "self.pad_id = PAD"),
]
