"""Returns BOS."""

SAYS = "BOS or padding"
CHANGES = [("return sentences[best]", "return [BOS, *sentences[best]]")]
