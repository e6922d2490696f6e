"""Reads everything, and picks the final states afterwards."""

CHANGES = [
    (
        "    outputs = [",
        """    states = [hidden]
    for position in range(length):
        states.append(cell(embedded[:, position], states[-1]))
    stacked = torch.stack(states, dim=1)
    final = stacked[torch.arange(batch), lengths]
    past = torch.arange(length) >= lengths.unsqueeze(1)
    return stacked[:, 1:].masked_fill(past.unsqueeze(-1), 0.0), final
    outputs = [""",
    ),
]
