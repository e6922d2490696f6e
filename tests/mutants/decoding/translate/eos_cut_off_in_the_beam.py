"""Cuts EOS off what beam search found."""

SAYS = "right but for EOS"
CHANGES = [("[tokens for tokens, _ in found]", "[[each for each in tokens if each != EOS] for tokens, _ in found]")]
