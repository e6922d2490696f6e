"""Keeps the words so far outside the state, and repeats them when there are more hypotheses."""

SAYS = "do not follow the hypotheses"
CHANGES = [
    (
        """    def step(tokens, state):
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)""",
        """    written = {}

    def step(tokens, state):
        if not state["target"].shape[1]:
            written["target"] = state["target"]
        if len(written["target"]) != len(tokens):
            written["target"] = written["target"][:1].expand(len(tokens), -1)
        target = written["target"] = torch.cat([written["target"], tokens.unsqueeze(1)], dim=1)""",
    )
]
