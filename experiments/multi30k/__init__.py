"""Real sentences, German to English."""

ALSO = (
    ("--minutes", "20", "--dropout", "0.1", "--recipe", "weight decay", "--seeds", "0", "1"),
    ("--cased", "--minutes", "20", "--dropout", "0.1"),
)
