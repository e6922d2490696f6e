"""Believes that the last column is cut in order to remove EOS, and removes the others too."""

SAYS = "EOS is missing from the decoder's input"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target[:, :-1].masked_fill(target[:, :-1] == EOS, PAD), target[:, 1:]",
    ),
]
