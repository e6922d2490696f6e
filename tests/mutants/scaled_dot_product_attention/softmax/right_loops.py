"""Goes through the rows one by one."""

CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "rows = []\n    for row in scores.reshape(-1, scores.shape[-1]):\n        largest = row.max().detach()\n        powers = [torch.exp(number - largest) if largest > -math.inf else number * 0 + 0 for number in row]\n        if largest == -math.inf:\n            rows.append(torch.where(row == -math.inf, 0.0, row))\n        else:\n            rows.append(torch.stack(powers) / sum(powers))\n    return torch.stack(rows).reshape(scores.shape)",
    ),
]
