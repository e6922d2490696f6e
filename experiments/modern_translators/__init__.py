"""Parts of the modern block in a translator, one at a time, on one clock."""

ALSO = (
    ("--updates-of", "the block of chapter 13", "--variants", "RMS norm", "all of them"),
    ("--updates-of", "all of them", "--variants", "the block of chapter 13"),
)
