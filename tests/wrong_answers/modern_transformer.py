"""Wrong answers, written otherwise than those that the checks hold: exercise 18."""

import torch


def rms_norm__centred(x, weight, eps=1e-6):
    """the mean is subtracted"""
    centred = torch.sub(x, x.mean(-1, True))
    return centred * torch.rsqrt(centred.pow(2).mean(-1, True) + eps) * weight


def swiglu__sigmoid(x, w_gate, w_up, w_down):
    """the gate is sigmoid(z) alone"""
    gate = torch.einsum("...d,fd->...f", x, w_gate)
    up = torch.einsum("...d,fd->...f", x, w_up)
    return torch.einsum("...f,df->...d", up / (1 + torch.exp(-gate)), w_down)
