"""A class in another form than the task's: other names of arguments and layers, three projections in one.

Checks make a class with the task's arguments and set its weights by the task's names. So a class is made here that has
both, and whose every call sets the weights of the other from its own.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from course_checks.cli.conventions import Convention, Inexpressible, adapted, parameters
from course_checks.cli.matching import Matching, OtherForm, kinds, matchings, silent

# What others call an argument of ours.
ARGUMENTS = {
    "d_model": "d_model embed_dim embed_size emb_dim emb_size n_embd dim model_dim hidden_size hidden_dim num_hiddens "
               "d_out d_in features normalized_shape size width d_embed ndim",
    "num_heads": "num_heads n_heads n_head heads h nhead num_attention_heads",
    "d_ff": "d_ff dim_feedforward d_hidden hidden_dim ffn_dim ff_dim mlp_dim intermediate_size ffn_num_hiddens",
    "bias": "bias qkv_bias use_bias attn_bias", "eps": "eps epsilon layer_norm_eps", "query": "query queries q",
    "key": "key keys k", "value": "value values v", "x": "x input inputs hidden_states",
    "mask": "mask attn_mask attention_mask src_mask valid_mask causal_mask",
    "self_mask": "tgt_mask target_mask trg_mask dec_mask", "memory_mask": "src_mask source_mask enc_mask cross_mask",
    "memory": "memory m context enc_out enc_output enc_outputs encoder_output encoder_outputs enc_src",
    "vocab_size": "vocab_size n_vocab vocab num_tokens", "num_layers": "num_layers n_layers n_layer depth",
    "max_length": "max_length max_len max_seq_len block_size context_length n_positions",
    "tokens": "tokens idx input_ids ids x input inputs", "pad_id": "pad_id padding_idx pad_idx pad_token_id pad",
    "num_groups": "num_groups n_groups n_kv_heads num_kv_heads n_kv_head kv_heads num_key_value_heads",
}  # fmt: skip
ARGUMENTS = {ours: theirs.split() for ours, theirs in ARGUMENTS.items()}
GIVEN = {"block_size": 64, "context_length": 64, "max_len": 64, "max_seq_len": 64, "batch_first": True, "bias": True}


OF_CONFIGS = {"dropout": 0.0, "drop_rate": 0.0, "bias": True, "qkv_bias": True}
NEEDED = ("d_model", "num_heads", "d_ff", "query", "key", "value", "x")


class _Config(dict):
    """What others hand to all layers: its entries are attributes, too."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"this check's config has no {name}")


def _named(ours: Mapping[str, Any], function: Callable) -> tuple[dict[str, Any], set[str]]:
    """Give arguments the names under which a function takes them; say which of ours it takes.

    Raises:
        OtherForm: if it wants something else, or has no place for one that has no default with us.
    """
    takes, given, used, wanted = inspect.signature(function).parameters, {}, set(), []
    for name, parameter in takes.items():
        mine = next((each for each in ours if each not in used and name in [each, *ARGUMENTS.get(each, [])]), None)
        if name in ("config", "cfg"):
            synonyms = {other: value for each, value in ours.items() for other in [each, *ARGUMENTS.get(each, [])]}
            given[name], used = _Config(OF_CONFIGS | GIVEN | synonyms), set(ours)
        elif mine:
            given[name] = ours[mine]
            used.add(mine)
        elif name in ("d_in", "d_out"):  # both of them are the width
            given[name] = ours.get("d_model")
        elif "drop" in name:
            given[name] = 0.0
        elif name in GIVEN:
            given[name] = GIVEN[name]
        elif "mask" in name and parameter.default is parameter.empty:
            given[name] = None
        elif parameter.kind is parameter.VAR_KEYWORD:
            given |= {each: value for each, value in ours.items() if each not in used}
            used = set(ours)
        elif parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL:
            wanted.append(name)
    left = [name for name in ours if name not in used]
    missing = next((name for name in NEEDED if name in left), None)
    if missing:
        its = missing == "query" and not any("key" in name for name in takes)
        alone = ": it is self-attention; give it a query, a key and a value" if its else ""
        raise OtherForm(f"it takes ({', '.join(takes)}), and none of these is `{missing}`{alone}")
    if any("mask" in name and ours[name] is not None for name in left):
        raise Inexpressible
    if wanted:
        raise OtherForm(f"it wants an argument `{wanted[0]}`, and the task has none for it")
    return given, used


def in_our_form(
    right: type,
    theirs: type,
    conventions: tuple[Convention, ...] = (),
    settings: Mapping[str, Any] | None = None,
    matching: Matching = Matching(),  # noqa: B008 (it cannot be changed)
) -> type:
    """Make a class with the task's arguments, parameters and results, which calls another one.

    Args:
        right: the solution, which says what the parameters are.
        theirs: the other class.
        conventions: in which its calls differ from ours.
        settings: what it does always, by the names of our arguments; of the others, our defaults.
        matching: which layers stand for which.
    """
    constructor = inspect.signature(right)

    class InOurForm(nn.Module):
        def __init__(self, *arguments: Any, **keywords: Any):
            super().__init__()
            bound = constructor.bind(*arguments, **keywords)
            bound.apply_defaults()
            ours = right(*bound.args, **bound.kwargs)
            self.__dict__.update({name: value for name, value in vars(ours).items() if not name.startswith("_")})
            self._modules, self._parameters, self._buffers = ours._modules, ours._parameters, ours._buffers
            if set(constructor.parameters) <= set(inspect.signature(theirs).parameters):  # with defaults of its own
                made = theirs(*arguments, **keywords)
            else:
                given, told = _named(bound.arguments, theirs)
                for name, parameter in constructor.parameters.items():
                    only = (settings or {}).get(name, parameter.default)
                    if name not in {*told, "bias"} and bound.arguments[name] != only:
                        raise Inexpressible(name)
                made = theirs(**given)
            own, of_theirs = dict(self.named_parameters()), dict(made.named_parameters())
            self._plan = matching.of(kinds(self), kinds(made))
            with torch.no_grad():
                for name, parts in self._plan.items():
                    for mine, value in zip(parts, of_theirs[name].chunk(max(1, len(parts))), strict=False):
                        own[mine].copy_(value)
            self._made = [made]  # in a list, where its parameters are not ours

        def forward(self, *arguments: Any) -> Any:
            made, own = self._made[0], dict(self.named_parameters())
            if not own.keys() >= {each for parts in self._plan.values() for each in parts}:
                raise Inexpressible  # the check has replaced a layer of ours
            dtype = next(iter(own.values())).dtype
            made.to(dtype).train(self.training)
            weights = {
                name: torch.cat([own[each] for each in parts]) if parts else torch.zeros_like(made.get_parameter(name))
                for name, parts in self._plan.items()
            }

            def call(*inputs: Tensor) -> Any:
                given, _ = _named(dict(zip(parameters(right.forward)[1:], inputs, strict=False)), made.forward)
                return torch.func.functional_call(made, weights, (), given)

            def oracle(*inputs: Tensor) -> Any:
                return right.forward(self, *inputs)

            return adapted(call, conventions, oracle)(*arguments)

        again = staticmethod(
            lambda other: in_our_form(right, other, conventions, settings, matching)
        )  # of a repaired one

    InOurForm.__name__, InOurForm.__wrapped__ = theirs.__name__, theirs
    return InOurForm


def possible_matchings(right: type, theirs: type, example: tuple) -> tuple[list[Matching], list[str]]:
    """List how layers may be matched, and the names of theirs that leave it open.

    Args:
        right: the solution.
        theirs: the other class.
        example: arguments and keywords that make ours, all sizes different.

    Raises:
        OtherForm: if the class cannot be brought into our form.
    """
    made = in_our_form(right, theirs)(*example[0], **example[1])
    _named(dict.fromkeys(parameters(right.forward)[1:]), made._made[0].forward)
    theirs_kinds = kinds(made._made[0])
    return matchings(kinds(made), theirs_kinds), silent(theirs_kinds)


def differences(matching: Matching) -> list[str]:
    """Say in words which parameters stand for which."""
    pairs = [
        f"{name.removesuffix('.weight')} for {' and '.join(each.removesuffix('.weight') for each in parts)}"
        for name, parts in matching.plan.items()
        if parts and parts != [name] and not parts[0].endswith(".bias")
    ]
    alone = [name for name, parts in matching.plan.items() if not parts]
    said = [f"it has other names, {', '.join(pairs)}"] if pairs else []
    return said + ([f"its {', '.join(alone)} stand for nothing of the task, and were set to 0"] if alone else [])


def completed(right: type, theirs: type) -> type:
    """Make a class that sets the attributes, beside layers, that the task's class has and the other one has not."""

    class Completed(theirs):
        def __init__(self, *arguments: Any, **keywords: Any):
            super().__init__(*arguments, **keywords)
            for name, value in vars(right(*arguments, **keywords)).items():
                if not name.startswith("_") and not hasattr(self, name):
                    setattr(self, name, value)

        again = staticmethod(lambda other: completed(right, other))  # of a repaired one

    Completed.__name__, Completed.__wrapped__ = theirs.__name__, theirs
    return Completed


def is_in_our_form(right: type, theirs: type, example: tuple | None) -> bool:
    """Say whether a class is made and called as ours, and has any parameter of the same name.

    Raises:
        OtherForm: if it refuses the arguments with which ours is made.
    """
    if example is None:
        return True
    if not issubclass(theirs, nn.Module):
        raise OtherForm("it is no torch.nn.Module")
    takes = inspect.signature(theirs)
    any_name = any(each.kind is each.VAR_KEYWORD for each in takes.parameters.values())
    if not any_name and not set(parameters(right)) <= set(takes.parameters):
        return False
    try:
        takes.bind(*example[0], **example[1])
        made, ours = (each(*example[0], **example[1]) for each in (theirs, right))
        names = [{name for name, _ in each.named_parameters()} for each in (made, ours)]
    except (AssertionError, ValueError) as error:
        raise OtherForm(f"it refuses {_shown(right, example)}: {type(error).__name__}: {error}") from error
    except Exception:  # what is wrong there, the checks will say
        return not any_name
    called = inspect.signature(made.forward).parameters
    if not names[0] & names[1] and names[0]:
        return False
    return list(called)[: len(parameters(right.forward)) - 1] == parameters(right.forward)[1:]


def _shown(right: type, example: tuple) -> str:
    bound = inspect.signature(right).bind(*example[0], **example[1]).arguments
    return ", ".join(f"{name} = {value}" for name, value in bound.items())
