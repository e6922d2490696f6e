"""Leaves out the temperature."""

SAYS = "`temperature` is not used"
CHANGES = [("logits / temperature", "logits")]
