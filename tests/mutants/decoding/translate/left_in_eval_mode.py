"""Leaves the model in eval mode."""

SAYS = "`model.train()` is missing"
CHANGES = [("            module.training = mode", "            pass")]
