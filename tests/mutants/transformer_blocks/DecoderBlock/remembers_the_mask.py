"""Keeps the last mask for calls without one."""

SAYS = "self_attention.w_query.weight"
CHANGES = [
    ("self.self_attention(x, x, x, self_mask)[0]", "self.self_attention(x, x, x, self.kept(x, self_mask))[0]"),
    (
        "    def forward(",
        """    def kept(self, x, mask):
        masks = self.__dict__.setdefault("masks", {})
        if mask is not None:
            masks[x.shape] = mask
        return masks.get(x.shape)

    def forward(""",
    ),
]
