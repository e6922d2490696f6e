"""Goes through sentences and words one by one."""

CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        """sums = []
    for row in range(len(labels)):
        total = 0 * logits[row].nan_to_num(neginf=0.0).sum()
        for position in range(labels.shape[1]):
            if labels[row, position] != pad_id:
                total = total + log_probabilities[row, position, labels[row, position]]
        sums.append(total)
    return torch.stack(sums)""",
    ),
]
