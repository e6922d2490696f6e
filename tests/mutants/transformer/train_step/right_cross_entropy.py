"""Slices the target and uses torch's loss."""

CHANGES = [
    ("decoder_input, labels = teacher_forcing_pair(target)", "decoder_input, labels = target[:, :-1], target[:, 1:]"),
    (
        "loss = label_smoothing_loss(model(source, decoder_input), labels, smoothing)",
        """logits = model(source, decoder_input)
    loss = nn.functional.cross_entropy(
        logits.transpose(1, 2), labels, ignore_index=PAD, label_smoothing=smoothing
    )""",
    ),
]
