"""Calls train() afterwards, which reaches every part."""

SAYS = "train()` reaches every part"
CHANGES = [
    (
        """        for module, mode in modes:
            module.training = mode""",
        "        model.train(modes[0][1])",
    )
]
