"""The six attentions of chapter 06 against torch's own: C is right, and each of the others is wrong in its own way."""

import torch
from torch.nn import functional as F

from experiments.random_tokens.attentions import ATTENTIONS


def inputs():
    return torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def test_c_is_the_causal_attention_of_torch_and_no_other_is():
    query, key, value = inputs()
    wanted = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    same = [name for name, attention in ATTENTIONS.items() if torch.allclose(attention(query, key, value), wanted)]
    assert same == ["C"]


def test_what_an_attention_does_to_the_first_position_says_which_mistake_it_has():
    query, key, value = inputs()
    first = {name: attention(query, key, value)[0] for name, attention in ATTENTIONS.items()}
    weights = torch.softmax(query[0] @ key.T / 2, dim=0)  # over all keys, as if nothing were hidden
    torch.testing.assert_close(first["A"], weights[0] * value[0])
    pair = torch.softmax(query[0] @ key[:2].T / 2, dim=0)
    torch.testing.assert_close(first["B"], pair @ value[:2])
    torch.testing.assert_close(first["C"], value[0])
    over_queries = torch.softmax(query @ key[0] / 2, dim=0)  # key 0 is seen by all queries
    torch.testing.assert_close(first["D"], over_queries[0] * value[0])
    powers = torch.cat([(query[0] @ key[:1].T / 2).exp(), torch.ones(4, dtype=torch.float64)])
    torch.testing.assert_close(first["E"], powers / powers.sum() @ value)
    torch.testing.assert_close(first["F"], weights @ value)
