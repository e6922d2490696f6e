"""Leaves the model in eval mode."""

SAYS = "nothing puts the modes back"
CHANGES = [("            module.training = mode", "            pass")]
