"""Takes torch's norm and a sequence with named layers."""

CHANGES = [
    ("self.norm_1 = LayerNorm(d_model)", "self.norm_1 = nn.LayerNorm(d_model)"),
    ("self.norm_2 = LayerNorm(d_model)", "self.norm_2 = nn.LayerNorm(d_model)"),
    (
        "self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)",
        """from collections import OrderedDict

        self.feed_forward = nn.Sequential(
            OrderedDict(
                linear_1=nn.Linear(d_model, d_ff),
                activation={"relu": nn.ReLU(), "gelu": nn.GELU()}[activation],
                dropout=nn.Dropout(dropout),
                linear_2=nn.Linear(d_ff, d_model),
            )
        )""",
    ),
]
