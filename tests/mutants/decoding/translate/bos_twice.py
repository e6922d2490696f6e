"""Begins the state with BOS, though the first tokens are BOS."""

SAYS = "begins with BOS twice"
CHANGES = [('"target": rows[:, :0]', '"target": torch.full_like(rows[:, :1], BOS)')]
