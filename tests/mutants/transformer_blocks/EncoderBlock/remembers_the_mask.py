"""Keeps the last mask for calls without one."""

SAYS = "comes out differently"
CHANGES = [
    ("self.self_attention(x, x, x, mask)[0]", "self.self_attention(x, x, x, self.kept(x, mask))[0]"),
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
