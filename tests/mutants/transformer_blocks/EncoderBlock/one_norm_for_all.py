"""Makes one norm and uses it everywhere."""

SAYS = "one LayerNorm serves several"
CHANGES = [
    ("self.norm_2 = LayerNorm(d_model)", "self.norm_2 = self.norm_1"),
]
