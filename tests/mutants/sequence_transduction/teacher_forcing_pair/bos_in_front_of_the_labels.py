"""Puts BOS in front of labels from which it was cut, and cuts again."""

SAYS = "shifted twice"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = torch.cat([torch.full_like(target[:, :1], BOS), target[:, 2:]], dim=1), target[:, 1:]",
    ),
]
