"""Adds up logits."""

SAYS = "logits are added up"
CHANGES = [("logits.log_softmax(dim=-1)", "logits")]
