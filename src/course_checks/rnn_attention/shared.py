"""What several tasks of exercise 03 share: the ways in which a mask goes wrong."""

import torch

UNIT = "rnn_attention"
READY_MADE = ("scaled_dot_product", "multi_head_attention")
double = torch.float64

_BEFORE = "which number must a hidden score become, so that e to its power is 0?"
_SEEN = "padding still has a weight"
# What stands behind the scores in the place of `.masked_fill(~mask, -math.inf)`.
# fmt: off
MASK = {
    "": ("the mask is not used", _BEFORE, "hidden words still have a weight: that without a mask"),
    " * mask": ("the mask is multiplied into the scores, or 0 filled in: e^0 is 1, not 0", _BEFORE, _SEEN),
    " + mask": ("the mask itself is added to the scores, as 0 and 1", _BEFORE, _SEEN),
    " + ~mask": ("the inverted mask is added to the scores, as 0 and 1", _BEFORE, _SEEN),
    ".masked_fill(~mask, -10.0)": (
        "the number that is filled in is not small enough to vanish in softmax", _BEFORE, _SEEN),
    " + (0.0 if mask.all() else ~mask * -math.inf)": ("infinity times the mask: 0 times infinity is NaN",
        "choose with `masked_fill`, do not multiply", "numbers are NaN"),
}
AFTER = ("the mask is applied after softmax, so the other weights do not know of it", _BEFORE,
         "hidden words have weight 0, but the rows sum to less than 1")
INVERTED = ("the mask is used the wrong way round (inverted)",
            "True means `may be attended to`: hide where the mask is False",
            "exactly the hidden words have the weight")
# fmt: on
