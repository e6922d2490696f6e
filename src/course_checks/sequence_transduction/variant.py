"""What a variant of exercise 01 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_loss(logits, target)` is the loss of a batch in training. `logits` are what a decoder says after it has "
    "read `target[:, :-1]`, so they have shape `(batch, length - 1, vocab_size)`. It is the mean cross entropy of "
    "the words that the decoder shall say, EOS included and padding left out.",
    (
        Bug(
            "labels = target[:, 1:]",
            "labels = target[:, :-1]",
            "the labels are the words that the decoder has just read",
        ),
        Bug(
            'losses = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")',
            'losses = F.cross_entropy(logits.log_softmax(dim=1).transpose(1, 2), labels, reduction="none")',
            "the logits are normalised over the positions first",
        ),
        Bug(
            'losses = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")',
            'losses = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none", label_smoothing=0.1)',
            "the labels are smoothed, which nobody asked for",
        ),
        Bug("losses = losses * (labels != PAD)", "losses = losses * (labels > EOS)", "EOS is left out like padding"),
        Bug(
            "losses = losses * (labels != PAD)",
            "losses = losses * (labels == PAD)",
            "padding is kept and the words are left out",
        ),
        Bug(
            "return losses.sum() / (labels != PAD).sum()",
            "return losses.mean()",
            "the mean is taken over padding too",
        ),
        Bug(
            "return losses.sum() / (labels != PAD).sum()",
            "return losses.sum() / len(labels)",
            "the sum is divided by the number of sentences",
        ),
        Bug(
            "return losses.sum() / (labels != PAD).sum()",
            "return losses.sum() / (target != PAD).sum()",
            "BOS counts as a word in the number of words",
        ),
    ),
    "There is no smoothing. Here `torch.nn.functional.cross_entropy` is allowed; look up what it expects. Wrong "
    "input is no concern of this task.",
    (
        ("Anna trains with one of the bugs of task 8:", "Anna's program has a bug in its loss:"),
        ("Which of the bugs does Anna have, and why", "Which bug would explain this, and why"),
    ),
)
