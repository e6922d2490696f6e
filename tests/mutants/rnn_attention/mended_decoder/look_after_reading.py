"""Reads the word first, with the context of the step before, and then looks."""

SAYS = "the word is read before the look"
CHANGES = [
    (
        "states, rows = [], []",
        """states, rows = [], []
    context = torch.zeros_like(memory[:, 0])""",
    ),
    (
        "        scores = score(hidden",
        """        hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)
        scores = score(hidden""",
    ),
    (
        "        hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)  # (batch, d_hidden)\n",
        "",
    ),
]
