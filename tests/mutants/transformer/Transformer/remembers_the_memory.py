"""Keeps the memory of the first call."""

SAYS = "forward, 2 sentences"
CHANGES = [
    (
        "return self.decode(target, self.encode(source), source)",
        """if not hasattr(self, 'memory') or self.memory.shape[:2] != source.shape:
            self.memory = self.encode(source) * 0
        return self.decode(target, self.memory, source)""",
    ),
]
