"""`course-check` on classes in the forms in which they are written elsewhere: names, packed projections, masks."""

import pytest
from torch import nn

from course_checks.cli.classes import in_our_form
from course_checks.cli.conventions import Inexpressible
from tests.checked_code import checked  # noqa: F401 (a fixture)

OF_FOUR = """
class Attention(nn.Module):
    def __init__(self, h, d_model, dropout=0.1):
        super().__init__()
        self.h, self.d_k = h, d_model // h
        self.linears = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        size = query.size(0)
        query, key, value = (
            layer(x).view(size, -1, self.h, self.d_k).transpose(1, 2)
            for layer, x in zip(self.linears, (query, key, value))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        x = self.dropout(scores.softmax(dim=-1)) @ value
        return self.linears[-1](x.transpose(1, 2).reshape(size, -1, self.h * self.d_k))
"""
PACKED = """
class Attention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * embed_dim, embed_dim) / embed_dim**0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim))
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, q, k, v, attn_mask=None):
        three = zip((q, k, v), self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3))
        q, k, v = (F.linear(x, w, b).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for x, w, b in three)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if attn_mask is not None:
            scores = scores.masked_fill(attn_mask, -math.inf)
        return self.out_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
"""
OF_CONFIG = """
class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.v_proj, self.k_proj, self.q_proj, self.o_proj = (nn.Linear(d, d, bias=config.bias) for _ in range(4))

    def forward(self, values, keys, queries, mask=None):
        pairs = (self.q_proj, queries), (self.k_proj, keys), (self.v_proj, values)
        q, k, v = (layer(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for layer, x in pairs)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1)
        return self.o_proj((weights @ v).transpose(1, 2).flatten(2)), weights
"""
NORM = """
class Norm(nn.Module):
    def __init__(self, features, eps=1e-5):
        super().__init__()
        self.a_2, self.b_2, self.eps = nn.Parameter(torch.ones(features)), nn.Parameter(torch.zeros(features)), eps

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:], self.a_2, self.b_2, self.eps)
"""
SANDWICH = """
class TwoLayers(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2, self.dropout = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model), nn.Dropout(dropout)

    def forward(self, x):
        return self.w_2(self.dropout(self.w_1(x).relu()))
"""
FUSED = """
def attend(query, key, value, mask=None):
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
"""
INPUT_ALONE = """
class Attention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.c_attn = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.c_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x):
        return self.c_proj(x)
"""
NARROW = """
class Attention(nn.Module):
    def __init__(self, embed_size, heads):
        super().__init__()
        self.values, self.keys, self.queries = (nn.Linear(embed_size // heads, embed_size // heads) for _ in range(3))
        self.fc_out = nn.Linear(embed_size, embed_size)

    def forward(self, values, keys, query, mask):
        return self.fc_out(query)
"""


OF_ANOTHER_CONFIG = """
class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.rope = config.rope_scaling
"""


PRE_NORM = """
class Block(nn.Module):
    def __init__(self, n_embd, n_head, d_ff):
        super().__init__()
        self.n_head, self.ln_1 = n_head, nn.LayerNorm(n_embd)
        self.c_attn, self.c_proj = nn.Linear(n_embd, 3 * n_embd), nn.Linear(n_embd, n_embd)
        self.ln_2, self.c_fc, self.out = nn.LayerNorm(n_embd), nn.Linear(n_embd, d_ff), nn.Linear(d_ff, n_embd)

    def forward(self, x, attn_mask=None):
        q, k, v = (y.unflatten(-1, (self.n_head, -1)).transpose(1, 2) for y in self.c_attn(self.ln_1(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask)
        x = x + self.c_proj(y.transpose(1, 2).flatten(2))
        return x + self.out(self.c_fc(self.ln_2(x)).relu())
"""
IN_OUR_FORM = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.w_query, self.w_key, self.w_value, self.w_output = (nn.Linear(d_model, d_model, bias) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        pairs = (self.w_query, query), (self.w_key, key), (self.w_value, value)
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer, x in pairs)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(-1).nan_to_num()
        return self.w_output((weights @ v).transpose(1, 2).flatten(2)), weights
"""


WITH_WIDTH = IN_OUR_FORM.replace("self.num_heads = num_heads", "self.d_model, self.num_heads = d_model, num_heads")


@pytest.mark.parametrize(
    ("task", "program", "said"),
    [
        ("MultiHeadAttention", OF_FOUR, ["linears.0 for w_query", "linears.3 for w_output", "(batch, queries, keys)",
                                         "only the first result", "attends to all of them alike"]),
        ("MultiHeadAttention", PACKED, ["in_proj_weight for w_query and w_key and w_value", "out_proj for w_output",
                                        "True in a mask means hidden", "only the first result", "e^-inf / 0 is 0 / 0"]),
        ("MultiHeadAttention", OF_CONFIG, ["v_proj for w_value", "q_proj for w_query", "o_proj for w_output"]),
        ("LayerNorm", NORM, ["a_2 for weight, b_2 for bias"]),
        ("FeedForward", SANDWICH, ["w_1 for linear_1, w_2 for linear_2"]),
        ("EncoderBlock", PRE_NORM, ["c_attn for self_attention.w_query", "ln_2 for norm_2", "normalises first"]),
        ("MultiHeadAttention", IN_OUR_FORM, ["an attribute that the task names is not there"]),
        ("scaled_dot_product_attention", FUSED, ["only the first result"]),
    ],
    ids=["list of four", "packed", "config", "norm", "two layers", "pre-norm", "no attribute", "fused"],
)  # fmt: skip
def test_a_right_class_in_another_form_is_right_and_its_form_is_said(task, program, said, checked):  # noqa: F811
    code, printed = checked(task, program)
    assert code == 0, printed
    assert [words for words in said if words not in printed] == []


@pytest.mark.parametrize(
    ("task", "program", "change", "said"),
    [
        ("MultiHeadAttention", OF_FOUR, (".view(size, -1, self.h, self.d_k).transpose(1, 2)",
                                         ".view(size, self.h, -1, self.d_k)"), "it cuts the words into heads"),
        ("MultiHeadAttention", PACKED, ("math.sqrt(q.shape[-1])", "math.sqrt(q.shape[-1] * self.num_heads)"),
         "divided by the root of d_model"),
        ("MultiHeadAttention", OF_CONFIG, ("(self.k_proj, keys)", "(self.q_proj, keys)"), "keys go through w_query"),
        ("LayerNorm", NORM, ("return F.layer_norm(x, x.shape[-1:], self.a_2, self.b_2, self.eps)",
                             "return self.a_2 * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + self.eps)"
                             " + self.b_2"), "the variance is divided by d_model - 1"),
        ("FeedForward", SANDWICH, ("self.w_1(x).relu()", "self.w_1(x)"), "activation"),
        ("MultiHeadAttention", WITH_WIDTH, ("(d_model, d_model, bias)", "(d_model, d_model)"), "`bias` is not handed"),
        ("EncoderBlock", PRE_NORM, ("self.c_fc(self.ln_2(x))", "self.c_fc(self.ln_1(x))"), "norm_2"),
        ("MultiHeadAttention", WITH_WIDTH, ("scores = q @", "scores = q.detach() @"), "w_query never learns"),
        ("MultiHeadAttention", WITH_WIDTH, ("~mask", "mask.logical_not_()"), "the call changed its argument"),
    ],
    ids=["view", "root", "other layer", "std", "no activation", "a bias always", "other norm", "no gradient",
         "in place"],
)  # fmt: skip
def test_a_mistake_in_another_form_is_named_or_its_line_shown(task, program, change, said, checked):  # noqa: F811
    assert program.count(change[0]) == 1
    code, printed = checked(task, program.replace(*change))
    assert (code, said in printed) == (1, True), printed


@pytest.mark.parametrize(
    ("program", "said"),
    [(INPUT_ALONE, "it takes (x), and none of these is `query`: it is self-attention"),
     (NARROW, "the task has no weight of the shape (4, 4), which its values.weight has"),
     (OF_ANOTHER_CONFIG, "it cannot be made with the task's arguments (AttributeError")],
    ids=["self-attention alone", "one small layer for all heads", "a config with more"],
)  # fmt: skip
def test_a_class_that_cannot_be_brought_into_form_is_refused_with_the_reason(program, said, checked):  # noqa: F811
    code, printed = checked("MultiHeadAttention", program)
    assert (code, said in printed) == (2, True), printed


def test_a_setting_that_a_class_does_not_take_is_not_taken_for_another_of_the_same_value():
    class Ours(nn.Linear):
        def __init__(self, d_model, norm_first=False):
            super().__init__(d_model, d_model)

    class Theirs(nn.Linear):
        def __init__(self, embed_dim, batch_first):
            super().__init__(embed_dim, embed_dim)

    in_our_form(Ours, Theirs)(3)
    with pytest.raises(Inexpressible, match="norm_first"):
        in_our_form(Ours, Theirs)(3, norm_first=True)
