"""Wrong answers, written otherwise than those that the checks hold: exercise 16."""

import torch


def contrastive_loss__captions_alone(image_vectors, text_vectors, temperature):
    """only the captions ask"""
    a = image_vectors / image_vectors.norm(dim=1, keepdim=True)
    b = text_vectors / text_vectors.norm(dim=1, keepdim=True)
    logits = torch.einsum("cd,pd->cp", b, a) / temperature
    return (torch.logsumexp(logits, 1) - logits.diagonal()).mean()


def joint_sequence__pictures_first_type(text, image, types):
    """words get the type of patches"""
    first, second = types.unbind(0)
    return torch.cat((text + second, image + first), 1)


def pointing_mass__mean(weights, regions):
    """the mean over the patches of the region"""
    inside = weights * regions.unsqueeze(1).to(weights)
    return inside.sum(-1) / regions.sum(-1).clamp(min=1).unsqueeze(1)
