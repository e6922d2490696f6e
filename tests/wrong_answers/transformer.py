"""Wrong answers, written otherwise than those that the checks hold: exercise 10."""

import math

import torch

from transformer_course.sequence_transduction import label_smoothing_loss


def noam_learning_rate__no_width(step, d_model, warmup_steps=4000):
    """the factor with d_model is missing"""
    return 1 / math.sqrt(step) if step > warmup_steps else step / warmup_steps / math.sqrt(warmup_steps)


def noam_learning_rate__divided(step, d_model, warmup_steps=4000):
    """divided by d_model, not by its root"""
    return math.exp(-math.log(d_model) + min(-0.5 * math.log(step), math.log(step) - 1.5 * math.log(warmup_steps)))


def accumulated_step__sentences_counted_on_the_way(model, parts, optimizer, smoothing=0.1, max_grad_norm=1.0):
    """weighed by their sentences"""
    model.train()
    optimizer.zero_grad()
    losses = [
        len(source) * label_smoothing_loss(model(source, target[:, :-1]), target[:, 1:], smoothing)
        for source, target in parts
    ]
    whole = sum(losses) / sum(len(source) for source, _ in parts)
    whole.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
    optimizer.step()
    return whole.item()
