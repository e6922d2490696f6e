"""Returns from inside the loop."""

SAYS = "a loop that calls one block only"
CHANGES = [
    (
        """            x = block(x, mask)
""",
        """            x = block(x, mask)
            return self.encoder_norm(x)
""",
    ),
]
