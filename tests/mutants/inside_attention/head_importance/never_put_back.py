"""Leaves the heads silent."""

SAYS = "heads stay silent"
CHANGES = [
    (
        """        finally:
            with torch.no_grad():
                weight.copy_(original)
""",
        """        finally:
            pass
""",
    ),
]
