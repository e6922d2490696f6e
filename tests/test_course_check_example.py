"""What README.md and its page say of `course-check` is what it prints."""

import pytest
from notebooks import ROOT

from course_checks.cli import main

EXAMPLE = ROOT / "docs" / "examples" / "my_attention.py"


@pytest.mark.parametrize("page", ["README.md", "book/check_your_own.md"])
def test_the_output_that_is_shown_is_the_output(page, capsys):
    text = (ROOT / page).read_text("utf-8")
    code = EXAMPLE.read_text("utf-8").partition("\n\n\n")[2]
    assert f"```python\n{code}```" in text
    assert main(["scaled_dot_product_attention", f"{EXAMPLE}:my_attention"]) == 1
    printed = capsys.readouterr().out.strip()
    command = "$ course-check scaled_dot_product_attention my_attention.py:my_attention"
    assert f"```console\n{command}\n{printed}\n```" in text


NORM = """
import torch
class RMSNorm(torch.nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.eps, self.weight = eps, torch.nn.Parameter(torch.ones(dim))
    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight
"""
NANO_GPT = """
from dataclasses import dataclass
import torch
from torch import nn
from torch.nn import functional as F
@dataclass
class GPTConfig:
    block_size: int
    vocab_size: int
    n_layer: int
    n_head: int
    n_embd: int
    dropout: float
class MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_fc, self.gelu = nn.Linear(config.n_embd, 4 * config.n_embd), nn.GELU()
        self.c_proj, self.dropout = nn.Linear(4 * config.n_embd, config.n_embd), nn.Dropout(config.dropout)
    def forward(self, x):
        return self.dropout(self.c_proj(self.gelu(self.c_fc(x))))
class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, self.dropout = config.n_head, config.dropout
        self.c_attn, self.c_proj = nn.Linear(config.n_embd, 3 * config.n_embd), nn.Linear(config.n_embd, config.n_embd)
        self.resid_dropout = nn.Dropout(config.dropout)
    def forward(self, x):
        q, k, v = (y.unflatten(-1, (self.n_head, -1)).transpose(1, 2) for y in self.c_attn(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, None, self.dropout if self.training else 0, is_causal=True)
        return self.resid_dropout(self.c_proj(y.transpose(1, 2).flatten(2)))
class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(config.n_embd), Attention(config)
        self.ln_2, self.mlp = nn.LayerNorm(config.n_embd), MLP(config)
    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))
class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        wte, wpe = nn.Embedding(config.vocab_size, config.n_embd), nn.Embedding(config.block_size, config.n_embd)
        h = nn.ModuleList(Block(config) for _ in range(config.n_layer))
        drop, ln_f = nn.Dropout(config.dropout), nn.LayerNorm(config.n_embd)
        self.transformer = nn.ModuleDict(dict(wte=wte, wpe=wpe, drop=drop, h=h, ln_f=ln_f))
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
    def forward(self, idx, targets=None):
        parts = self.transformer
        x = parts.drop(parts.wte(idx) + parts.wpe(torch.arange(idx.size(1))))
        for block in parts.h:
            x = block(x)
        logits = self.lm_head(parts.ln_f(x))
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())
"""


@pytest.mark.parametrize(("task", "begins", "above"), [("rms_norm", "def rms_norm", NORM),
                                                       ("LanguageModel", "class NanoGPT", NANO_GPT)])  # fmt: skip
def test_what_the_page_puts_around_other_code_makes_it_right(task, begins, above, tmp_path, capsys):
    page = (ROOT / "book" / "check_your_own.md").read_text("utf-8")
    around = next(block for block in page.split("```python\n")[1:] if block.startswith(begins)).partition("```")[0]
    path = tmp_path / "around.py"
    path.write_text(f"{above}\n\n{around}", "utf-8")
    assert main([task, f"{path}:{begins.split(' ')[1]}"]) == 0, capsys.readouterr()
