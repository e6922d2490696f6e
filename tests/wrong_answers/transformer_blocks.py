"""Wrong answers, written otherwise than those that the checks hold: exercise 09."""

import torch
from torch import nn


class LayerNorm__unbiased(nn.Module):
    """divided by d_model - 1"""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        spread, middle = torch.var_mean(x, dim=-1, keepdim=True)
        return torch.addcmul(self.bias, (x - middle) * torch.rsqrt(spread + self.eps), self.weight)


class LayerNorm__whole_sentence(nn.Module):
    """over a whole sentence | one small change in the line `dims ="""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        dims = tuple(range(max(x.dim() - 2, 0), x.dim()))
        centred = x - x.mean(dims, keepdim=True)
        return centred / (centred**2).mean(dims, keepdim=True).add(self.eps).sqrt() * self.weight + self.bias
