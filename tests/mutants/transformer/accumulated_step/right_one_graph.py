"""Adds the losses up before one backward pass."""

CHANGES = [
    (
        """        loss.backward()
        total += loss.item()
""",
        """        total = total + loss
""",
    ),
    (
        "    nn.utils.clip",
        """    total.backward()
    nn.utils.clip""",
    ),
    ("return total", "return total.item()"),
]
