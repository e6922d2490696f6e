"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        """from transformer_course.sequence_transduction import sequence_log_probability as theirs

    return theirs(logits, labels, pad_id)""",
    ),
]
