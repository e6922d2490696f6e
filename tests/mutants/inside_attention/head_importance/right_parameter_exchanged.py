"""Puts another parameter into the place of the weight meanwhile."""

CHANGES = [
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        """silenced = weight.clone()
                silenced[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0
            attention.w_output.weight = nn.Parameter(silenced)""",
    ),
    (
        """        finally:
            with torch.no_grad():
                weight.copy_(original)
""",
        """        finally:
            attention.w_output.weight = weight
""",
    ),
]
