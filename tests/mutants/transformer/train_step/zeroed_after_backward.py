"""Sets the gradients to zero between backward and step."""

SAYS = "is set to zero after `backward`"
CHANGES = [
    (
        """    optimizer.zero_grad()
    loss.backward()
""",
        """    loss.backward()
    optimizer.zero_grad()
""",
    ),
]
