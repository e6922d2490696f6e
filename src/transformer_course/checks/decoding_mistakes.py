"""What the known mistakes of exercise 11 return: in the cache, and in what a position makes of it."""

import torch
from torch import Tensor, nn

from transformer_course.checks.oracles_decoding import right_cache
from transformer_course.checks.oracles_heads import project, right_merge, right_split
from transformer_course.checks.reporting import Mistake

UNIT = "decoding"
ONE = "take a batch of one, one head and two positions, and work it out by hand"


def cache_mistakes(attention: nn.Module, x: Tensor, old: tuple[Tensor, Tensor]) -> tuple[list[Mistake], list[Mistake]]:
    """Wrong keys and wrong values after position ``length - 1`` of x; ``old`` is the cache before it."""
    right, found = right_cache(attention, x), []
    weights, new = dict(attention.named_parameters()), x[:, -1:]
    for number, name in enumerate(("w_key", "w_value")):
        own, other = right[number], right[1 - number]
        swapped = torch.cat([old[number], other[:, :, -1:]], 2)
        raw = torch.cat([old[number], right_split(new, attention.num_heads)], 2)
        query = torch.cat([old[number], right_split(project(weights, "w_query", new), attention.num_heads)], 2)
        plain = new @ weights[f"{name}.weight"].T
        unbiased = torch.cat([old[number], right_split(plain, attention.num_heads)], 2)
        found.append(
            [
                Mistake(
                    torch.cat([own[:, :, -1:], own[:, :, :-1]], 2),
                    "the new position stands first",
                    "`torch.cat` has the new tensor first, and the old cache behind it",
                    "attention does not care about the order of keys, but who reads the cache does: the oldest first",
                ),
                Mistake(
                    other,
                    f"what should hold the {('keys', 'values')[number]} holds the {('values', 'keys')[number]}",
                    "key and value change places",
                    "the cache is `(key, value)`, in this order",
                ),
                Mistake(
                    swapped,
                    "the new position has come into the wrong half of the cache",
                    "w_key and w_value change places",
                    "the cache is `(key, value)`, in this order",
                ),
                Mistake(
                    raw, "the new position is x itself", f"`{name}` is not used", "the cache holds projected positions"
                ),
                Mistake(query, "the new position is the query", f"`w_query` in the place of `{name}`", ONE),
                Mistake(unbiased, "the bias is missing", f"the weight of `{name}` is used without its bias", ONE),
            ]
        )
    return found[0], found[1]


def cached_output_mistakes(attention: nn.Module, x: Tensor) -> list[Mistake]:
    """Wrong outputs for the last position of x."""
    weights = dict(attention.named_parameters())
    keys, values = right_cache(attention, x)
    num_heads, d_k = attention.num_heads, keys.shape[-1]
    query = right_split(project(weights, "w_query", x[:, -1:]), num_heads)

    def mixed(query: Tensor = query, keys: Tensor = keys, values: Tensor = values, scale: float = d_k**0.5) -> Tensor:
        shares = torch.softmax(query @ keys.mT / scale, -1)
        return right_merge(shares @ values)

    def output(heads: Tensor) -> Tensor:
        return project(weights, "w_output", heads)

    def cut(part: slice) -> Tensor:
        return output(mixed(keys=keys[:, :, part], values=values[:, :, part]))

    wide = [right_merge(each).unsqueeze(1) for each in (query, keys, values)]
    mistakes = [
        Mistake(
            mixed(), "the heads stand side by side", "w_output is not used", "the last projection is still missing"
        ),
        Mistake(
            output(mixed(scale=1.0)),
            "the outputs are those of sharper weights",
            "the scores are not divided by the root of d_k",
            "torch's scaled_dot_product_attention divides; a product of your own has to do it itself",
        ),
        Mistake(
            output(mixed(scale=(num_heads * d_k) ** 0.5)),
            "the outputs are those of flatter weights",
            "the scores are divided by the root of d_model; inside a head a vector has d_k entries",
            "divide by the root of the last dimension of query",
        ),
        Mistake(
            output(mixed(query=right_split(x[:, -1:], num_heads))),
            "the query is x itself",
            "`w_query` is not used",
            "query, key and value each have a projection",
        ),
        Mistake(output(mixed(values=keys)), "keys are mixed", "the keys in the place of the values", ONE),
        Mistake(
            output(mixed(*wide)),
            "the result is that of one wide head",
            "query, keys and values are not cut into heads",
            "`split_heads` gives each head its columns",
        ),
        Mistake(
            output(right_merge(values.mean(2, keepdim=True))),
            "every position weighs the same",
            "softmax over another dimension than that of the keys, or a mean",
            "the weights of one query sum to 1 over the keys",
        ),
        Mistake(
            output(right_merge(torch.softmax(query @ keys.mT / d_k**0.5, 1) @ values)),
            "the weights sum to 1 over the heads",
            "softmax over the dimension of the heads",
            "softmax goes over the last dimension, that of the keys",
        ),
    ]
    if x.shape[1] > 1:
        mistakes += [
            Mistake(
                cut(slice(0, 1)),
                "the new position sees only the first one",
                "`is_causal=True`: torch places this mask at the first key, so a single query sees key 0 alone",
                "no mask is needed: everything in the cache is earlier",
            ),
            Mistake(
                cut(slice(0, -1)),
                "the new position does not see itself",
                "attention runs over the old cache, before the new key and value have joined it",
                "join first, then attend",
            ),
            Mistake(
                cut(slice(-1, None)),
                "the new position sees only itself",
                "attention runs over the new key and value alone",
                "join first, then attend",
            ),
            Mistake(
                output(mixed(values=values.flip(2))),
                "weights and values do not belong together",
                "keys and values are joined in different orders",
                "join both in the same order: old, new",
            ),
        ]
    return mistakes
