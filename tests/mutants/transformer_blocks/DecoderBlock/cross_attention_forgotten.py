"""Leaves the memory out."""

SAYS = "cross_attention and its norm are not used"
CHANGES = [
    (
        """        x = self.norm_2(x + self.dropout(self.cross_attention(x, memory, memory, memory_mask)[0]))
""",
        "",
    ),
]
