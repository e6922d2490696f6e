"""Takes the letters of a string for words."""

SAYS = "does not look at its arguments"
CHANGES = [("if isinstance(text, str):", "if False:")]
