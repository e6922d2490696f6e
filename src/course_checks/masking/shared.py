"""What the tasks of exercise 06 share."""

UNIT = "masking"
READY_MADE = ("scaled_dot_product", "multi_head_attention")
TRUE = "True means `may be attended to`: which entries should be True?"
