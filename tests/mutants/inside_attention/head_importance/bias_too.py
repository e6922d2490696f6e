"""Zeroes the bias of w_output too."""

SAYS = "belongs to no head"
CHANGES = [
    (
        "original = weight.detach().clone()",
        """original = weight.detach().clone()
        bias = attention.w_output.bias
        kept = bias.detach().clone()""",
    ),
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        """weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0
                bias[:] = 0.0""",
    ),
    (
        """        finally:
            with torch.no_grad():
                weight.copy_(original)
""",
        """        finally:
            with torch.no_grad():
                weight.copy_(original)
                bias.copy_(kept)
""",
    ),
]
