"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        """from transformer_course.sequence_transduction import label_smoothing_loss as theirs

    return theirs(logits, labels, smoothing, pad_id)""",
    ),
]
