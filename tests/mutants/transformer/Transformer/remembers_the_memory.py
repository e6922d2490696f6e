"""Keeps the memory of the first call."""

SAYS = "other sentences after these"
CHANGES = [
    (
        "return self.decode(target, self.encode(source), source)",
        """if not hasattr(self, 'memory') or self.memory.shape[:2] != source.shape:
            self.memory = self.encode(source).detach()
        return self.decode(target, self.memory, source)""",
    ),
]
