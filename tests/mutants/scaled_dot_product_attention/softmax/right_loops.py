"""Goes through the rows one by one."""

CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        """rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        largest = row.max().detach()
        powers = [torch.exp(number - largest) for number in row]
        rows.append(torch.stack(powers) / sum(powers) if largest > -math.inf else torch.zeros_like(row))
    return torch.stack(rows).reshape(scores.shape)""",
    ),
]
