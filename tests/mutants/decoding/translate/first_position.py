"""Takes the logits of the first position."""

SAYS = "again and again"
CHANGES = [('state["source"])[:, -1]', 'state["source"])[:, 0]')]
