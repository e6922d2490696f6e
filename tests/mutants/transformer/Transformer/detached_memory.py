"""Cuts the memory off, as in a model that is only read."""

SAYS = "no gradient reaches"
CHANGES = [
    (
        "return self.decode(target, self.encode(source), source)",
        "return self.decode(target, self.encode(source).detach(), source)",
    ),
]
