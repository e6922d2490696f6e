"""`course-check` finds which layer stands for which, whatever their order and names."""

import pytest

from tests.checked_code import checked  # noqa: F401 (a fixture)
from tests.test_course_check_classes import IN_OUR_FORM, OF_FOUR

DECODER = """
def split(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

class Heads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, mask):
        q, k, v = (split(y, self.num_heads) for y in (self.q_proj(query), self.k_proj(key), self.v_proj(key)))
        return self.o_proj(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2))

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh")}

class Layer(nn.Module):
    def __init__(self, d_model, nhead, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__()
        self.c_fc, self.c_proj = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.LAST, self.cross, self.attn = nn.LayerNorm(d_model), Heads(d_model, nhead), Heads(d_model, nhead)
        self.ln_1, self.ln_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.drop, self.activation, self.norm_first = nn.Dropout(dropout), ACTIVATIONS[activation], norm_first

    def steps(self, memory, self_mask, memory_mask):
        yield self.ln_1, lambda x: self.attn(x, x, self_mask)
        yield self.ln_2, lambda x: self.cross(x, memory, memory_mask)
        yield self.LAST, lambda x: self.c_proj(self.drop(self.activation(self.c_fc(x))))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        for norm, step in self.steps(memory, self_mask, memory_mask):
            x = x + self.drop(step(norm(x))) if self.norm_first else norm(x + self.drop(step(x)))
        return x
"""
NAMELESS = """
class Attention(nn.Module):
    def __init__(self, embed_dim, num_heads, bias=True):
        super().__init__()
        self.h = num_heads
        self.fc_a, self.fc_b, self.fc_c, self.fc_d = (nn.Linear(embed_dim, embed_dim, bias) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        pairs = (self.fc_b, query), (self.fc_a, key), (self.fc_c, value)
        q, k, v = (layer(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for layer, x in pairs)
        return self.fc_d(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2))
"""
TORCHS = """
class Layer(nn.Module):
    def __init__(self, d_model, nhead, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__()
        bent = {"silu": F.silu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh")}
        self.num_heads = nhead
        self.layer = nn.TransformerEncoderLayer(
            d_model, nhead, d_ff, dropout, bent.get(activation, activation), batch_first=True, norm_first=norm_first
        )

    def forward(self, x, mask=None):
        size = x.shape[1]
        mask = mask if mask is None else ~mask.expand(len(x), self.num_heads, size, size).flatten(0, 1)
        return self.layer(x, mask)
"""
LLAMAS_NAMES = """
class Norm(nn.Module):
    def __init__(self, ndim, bias):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(ndim)), nn.Parameter(torch.zeros(ndim))

    def forward(self, input):
        return F.layer_norm(input, self.gamma.shape, self.gamma, self.beta, 1e-5)
"""
EMBEDDING = """
class Embedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_len=64, dropout=0.0, padding_idx=0):
        super().__init__()
        self.emb, self.dropout = nn.Embedding(vocab_size, d_model, padding_idx), nn.Dropout(dropout)

    def forward(self, x, start=0):
        d = self.emb.embedding_dim
        places = torch.arange(start, start + x.shape[1], dtype=torch.float64)[:, None]
        angles = places / 10000 ** (torch.arange(d) // 2 * 2 / d)
        where = torch.where(torch.arange(d) % 2 == 0, angles.sin(), angles.cos())
        return self.dropout(self.emb(x) * math.sqrt(d) + where.to(self.emb.weight.dtype))
"""


@pytest.mark.parametrize(
    ("task", "program", "said"),
    [
        ("DecoderBlock", DECODER, "cross.q_proj for cross_attention.w_query"),
        ("DecoderBlock", DECODER.replace("LAST", "ln_out"), "ln_out for norm_3"),
        ("MultiHeadAttention", NAMELESS, "fc_a for w_key, fc_b for w_query, fc_c for w_value"),
        ("EncoderBlock", TORCHS, "dropout falls on the attention weights too, as in torch"),
        ("LayerNorm", LLAMAS_NAMES, "gamma for weight"),
        ("TransformerEmbedding", EMBEDDING, "emb for token"),
    ],
    ids=["order", "norm", "no names", "torch's own", "ndim", "x"],
)
def test_layers_are_matched_by_what_they_do(task, program, said, checked):  # noqa: F811
    code, printed = checked(task, program)
    assert (code, said in printed) == (0, True), printed


@pytest.mark.parametrize(
    ("task", "program", "change", "code", "said"),
    [
        ("DecoderBlock", DECODER, ("self.cross(x, memory", "self.cross(memory, x"), 1, "query and memory are"),
        ("MultiHeadAttention", NAMELESS, ("=mask", "=mask, scale=0.7"), 2, "do not say which is which"),
        ("MultiHeadAttention", NAMELESS, ("attn_mask=mask", "attn_mask=None"), 1, "mask"),
        ("EncoderBlock", TORCHS, ("d_ff, dropout,", "d_ff, 0.0,"), 1, "dropout is missing"),
    ],
    ids=["exchanged", "another scale", "no mask", "no dropout"],
)
def test_a_mistake_is_none_of_the_order_of_layers(task, program, change, code, said, checked):  # noqa: F811
    assert program.count(change[0]) == 1
    found, printed = checked(task, program.replace(*change))
    assert (found, said in printed) == (code, True), printed


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [
        (IN_OUR_FORM.replace("super().__init__()", "super().__init__()\n        assert d_model % 64 == 0"), 2,
         "it refuses d_model = 12, num_heads = 3: AssertionError"),
        (OF_FOUR.replace("h, d_model, dropout=0.1", "**kw").replace("super()", "h, d_model = kw['num_heads'], "
         "kw['d_model']; dropout = 0; super()"), 0, "linears.0 for w_query"),
        ("class Attention(dict):\n    def __init__(self, d_model, num_heads, bias=True):\n        pass", 2,
         "it is no torch.nn.Module"),
        (NAMELESS.replace("nn.Module", "nn.Module, metaclass=type").replace("query, key, value, mask=None):",
         "query, key, value, mask=None):\n        query, key, value = (x.transpose(0, 1) for x in (query, key, value))")
         .replace(".flatten(2))", ".flatten(2)).transpose(0, 1)"), 0, "the length comes first: (length, batch, width)"),
    ],
    ids=["asserts", "keywords", "no module", "length first"],
)  # fmt: skip
def test_a_class_is_made_or_refused(program, code, said, checked):  # noqa: F811
    found, printed = checked("MultiHeadAttention", program)
    assert (found, said in printed) == (code, True), printed
