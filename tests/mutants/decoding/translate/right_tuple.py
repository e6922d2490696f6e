"""Has a tuple for a state."""

CHANGES = [
    (
        'return {"target": rows[:, :0], "memory": model.encode(rows), "source": rows}',
        "return rows[:, :0], model.encode(rows), rows",
    ),
    ('torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)', "torch.cat([state[0], tokens.unsqueeze(1)], dim=1)"),
    ('model.decode(target, state["memory"], state["source"])', "model.decode(target, *state[1:])"),
    ('{**state, "target": target}', "(target, *state[1:])"),
]
