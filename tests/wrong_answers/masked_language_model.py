"""Wrong answers, written otherwise than those that the checks hold: exercise 14."""

import torch
from torch import nn

from transformer_course.common import validation as given


def mean_pool__padding_counts(hidden, mask):
    """divided by the length of the batch"""
    return torch.einsum("bld,bl->bd", hidden.where(mask[..., None], 0), mask.to(hidden)) / max(hidden.shape[1], 1)


def mean_pool__largest(hidden, mask):
    """the largest number over the words"""
    seen = torch.where(mask.unsqueeze(-1), hidden, torch.full_like(hidden, -1e30)).amax(1)
    return torch.where(mask.any(1, keepdim=True), seen, torch.zeros_like(seen))


def mean_pool__zero_times_nan(hidden, mask):
    """padding is multiplied by 0"""
    given.require_shape("mask", mask, tuple(hidden.shape[:2]))
    given.require_mask(mask, tuple(hidden.shape[:2]))
    given.require_shape("hidden", hidden, ("batch", "length", "d"))
    real = mask.to(hidden)
    return torch.einsum("bld,bl->bd", hidden, real) / real.sum(1).clamp(min=1)[:, None]


class SentenceClassifier__head_first(nn.Module):
    """the logits 0: they are set, or `head` stands before the mean"""

    def __init__(self, encoder, d_model, num_classes):
        super().__init__()
        given.require_positive("d_model", d_model)
        given.require_positive("num_classes", num_classes)
        self.encoder, self.head = encoder, nn.Linear(d_model, num_classes)

    def forward(self, tokens):
        """Read each word by itself."""
        real = (tokens != getattr(self.encoder, "pad_id", 0)).double()
        each = self.head(self.encoder.encode(tokens)).double()
        return (torch.einsum("blc,bl->bc", each, real) / real.sum(1).clamp(min=1)[:, None]).to(self.head.weight)


def pseudo_log_likelihood__gaps_are_no_words(model, tokens, mask_id):
    """a token that is mask_id already is left out"""
    given.require_shape("tokens", tokens, ("batch", "length"))
    given.require_integers("tokens", tokens)
    came, scores = model.training, tokens.new_zeros(len(tokens)).double()
    model.eval()
    with torch.no_grad():
        for row, place in ((tokens != getattr(model, "pad_id", 0)) & (tokens != mask_id)).nonzero().tolist():
            question = tokens[row : row + 1].clone()
            question[0, place] = mask_id
            scores[row] += torch.log_softmax(model(question)[0, place], -1)[tokens[row, place]]
    model.train(came)
    return scores


def mask_tokens__an_exact_share(
    tokens, mask_id, vocab_size, probability=0.15, special_ids=(0, 1, 2, 3), generator=None
):
    """a fixed number of tokens is chosen"""
    special = torch.tensor([*special_ids, mask_id])
    ordinary = torch.tensor([each for each in range(vocab_size) if each not in special.tolist()])
    places = (~torch.isin(tokens, special)).flatten().nonzero()[:, 0]
    places = places[torch.randperm(len(places), generator=generator)[: round(probability * len(places))]]
    inputs, labels = tokens.flatten().clone(), torch.full((tokens.numel(),), -100)
    labels[places] = inputs[places]
    fate = torch.rand(len(places), generator=generator)
    drawn = ordinary[torch.randint(len(ordinary), (len(places),), generator=generator)]
    inputs[places] = torch.where(fate < 0.8, mask_id, torch.where(fate < 0.9, drawn, inputs[places]))
    return inputs.view(tokens.shape), labels.view(tokens.shape)
