"""Raises another error in the place of the one that came."""

SAYS = "the error of `evaluate`, passed on"
CHANGES = [
    (
        """        finally:
            with torch.no_grad():
                weight.copy_(original)
""",
        """        except Exception:
            raise ValueError("evaluate: could not be run") from None
        finally:
            with torch.no_grad():
                weight.copy_(original)
""",
    ),
]
