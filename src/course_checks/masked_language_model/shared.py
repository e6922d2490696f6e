"""What the tasks of exercise 14 share."""

from transformer_course.common.tokens import BOS, EOS, PAD, UNK

UNIT = "masked_language_model"
SPECIAL = (PAD, BOS, EOS, UNK)
MASK = 4
