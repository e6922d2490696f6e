"""Adds up logits."""

SAYS = "logits in the place of log probabilities"
CHANGES = [("logits.log_softmax(dim=-1)", "logits")]
