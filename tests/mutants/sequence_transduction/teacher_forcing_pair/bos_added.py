"""Puts BOS in front once more."""

SAYS = "begins with BOS already"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = torch.cat([torch.full_like(target[:, :1], BOS), target], dim=1), target",
    ),
]
