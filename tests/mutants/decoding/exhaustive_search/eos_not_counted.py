"""Does not count EOS."""

SAYS = "the sentence has to end"
CHANGES = [("labels == PAD", "labels <= EOS")]
