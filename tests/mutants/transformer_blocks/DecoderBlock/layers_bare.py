"""Has the two linear maps in the block itself."""

SAYS = "stand in the block itself"
CHANGES = [
    (
        "self.feed_forward = FeedForward(d_model, d_ff, dropout, activation)",
        """self.linear_1, self.linear_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.feed_forward = lambda x: self.linear_2(F.relu(self.linear_1(x)))""",
    ),
]
