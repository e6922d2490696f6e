"""Catches the error, and counts it as no drop."""

SAYS = "an `except` that catches it"
CHANGES = [
    (
        """        finally:
            with torch.no_grad():
                weight.copy_(original)
""",
        """        except Exception:
            drops.append(0.0)
        finally:
            with torch.no_grad():
                weight.copy_(original)
""",
    ),
]
