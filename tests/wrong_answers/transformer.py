"""Wrong answers, written otherwise than those that the checks hold: exercise 10."""

import math


def noam_learning_rate__no_width(step, d_model, warmup_steps=4000):
    """the factor with d_model is missing"""
    return 1 / math.sqrt(step) if step > warmup_steps else step / warmup_steps / math.sqrt(warmup_steps)


def noam_learning_rate__divided(step, d_model, warmup_steps=4000):
    """divided by d_model, not by its root"""
    return math.exp(-math.log(d_model) + min(-0.5 * math.log(step), math.log(step) - 1.5 * math.log(warmup_steps)))
