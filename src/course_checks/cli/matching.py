"""Which layer of another class stands for which of ours: by shapes and kinds, by what names say, else by trying."""

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import torch
from torch import nn

# What names of layers say, by words that ours have too.
SAID = {
    "cross": r"cross|(src|enc|encoder|memory)_(dec_)?att|encdec|multihead_attn", "gate": r"gate", "up": r"(^|[._])up",
    "down": r"down",
}  # fmt: skip
AT_MOST = 150  # ways that are tried

Layer = tuple[str, str | None]  # the names of a matrix and its bias, or of a gain and its shift


class OtherForm(Exception):
    """What keeps a class from being brought into the task's form, in one sentence."""


def kinds(module: nn.Module) -> dict[str, tuple[str, torch.Size]]:
    """Say of each parameter its shape, and whether it is a matrix, the bias beside one, or the gain or shift of a norm.

    >>> {name: kind for name, (kind, _) in kinds(nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3))).items()}
    {'0.weight': 'matrix', '0.bias': 'bias', '1.weight': 'gain', '1.bias': 'shift'}
    """
    owners, found = {}, {}
    for name, parameter in module.named_parameters():
        owners.setdefault(name.rpartition(".")[0], []).append((name, parameter))
    for those in owners.values():
        beside = any(parameter.dim() > 1 for _, parameter in those)
        for place, (name, parameter) in enumerate(those):
            vector = "bias" if beside else "shift" if place else "gain"
            found[name] = "matrix" if parameter.dim() > 1 else vector, parameter.shape
    return {name: found[name] for name, _ in module.named_parameters()}


def _layers(found: Mapping[str, tuple]) -> list[Layer]:
    """Put each bias to its matrix, and each shift to its gain, as far as there is one for each."""
    owners: dict[str, list[str]] = {}
    for name in found:
        owners.setdefault(name.rpartition(".")[0], []).append(name)
    beside: dict[str, str | None] = {}
    for names in owners.values():
        first, second = ([name for name in names if (found[name][0] in ("bias", "shift")) == side] for side in (0, 1))
        beside |= dict(zip(first, second, strict=True)) if len(first) == len(second) else dict.fromkeys(names)
    return [(name, beside[name]) for name in found if name in beside]


def said(name: str) -> set[str]:
    """Say of what a parameter's name speaks: queries, keys or values, or attention to something else.

    >>> sorted(said("encoder_attn.q_proj.weight")), said("linears.0.weight")
    (['cross', 'q'], set())
    """
    layer = name.lower().rpartition(".")[0] or name.lower()
    letter = re.sub(r"^(w|linear|lin|fc|to|proj)_?", "", layer.rpartition(".")[2])[:1]
    words = {word for word, pattern in SAID.items() if re.search(pattern, layer)}
    return words | ({letter} if letter and letter in "qkv" else set())


def from_ours(
    ours: Mapping[str, tuple], theirs: Mapping[str, tuple], exchanged: Mapping[str, str] | None = None
) -> dict[str, list[str]]:
    """Say of which parameters of ours each of theirs is made: of one, of three in a row, or of none (a bias of 0).

    Args:
        ours: the `kinds` of the parameters of the task's class.
        theirs: those of the other one.
        exchanged: parts of our names that are to change places, as `_exchanges` gives them.

    Raises:
        OtherForm: if there is no such way.
    """
    if set(ours) <= set(theirs):  # our form: what is there beside it, or has another shape, the checks will say
        if dict(ours) != dict(theirs):
            raise OtherForm("it has parameters beside those of the task, or of other shapes")
        return {name: [name] for name in theirs}
    left, plan, spoken = _layers(ours), {}, set().union(*map(said, theirs))
    for name, side in _layers(theirs):
        kind, shape = theirs[name]
        third = (shape[0] // 3, *shape[1:]) if shape and shape[0] % 3 == 0 else None
        fits, packed = ([each for each in left if ours[each[0]] == (kind, size)] for size in (shape, third))
        fits = sorted(fits, key=lambda each: len((said(each[0]) ^ said(name)) & spoken))  # in its order where alike
        chosen = fits[:1] or packed[:3]
        if not (fits or len(packed) >= 3 or len(shape) == 1):
            raise OtherForm(_without(name, shape))
        chosen = chosen if fits or len(packed) >= 3 else []
        plan[name] = [each for each, _ in chosen]
        if side:
            plan[side] = [each for _, each in chosen if each]
        left = [each for each in left if each not in chosen]
    used = {each for parts in plan.values() for each in parts}
    missing = next((name for name in ours if name not in used), None)
    if missing:
        raise OtherForm(f"it has no parameter of the shape {tuple(ours[missing][1])} for {missing}")
    return {
        name: [".".join((exchanged or {}).get(part, part) for part in each.split(".")) for each in parts]
        for name, parts in plan.items()
    }


def _without(name: str, shape: torch.Size) -> str:
    wide = len(shape) == 2 and max(shape) == 4 * min(shape)
    four = ": it is 4 times as wide as the model, whatever `d_ff` says" if wide else ""
    return f"the task has no weight of the shape {tuple(shape)}, which its {name} has{four}"


def _alike(ours: Mapping[str, tuple]) -> list[list[str]]:
    """List the parts of our names behind which the same stands, such as norm_1 and norm_2: they could change places."""
    inside: dict[str, dict[str, set]] = {}
    for name, kind in ours.items():
        parts = name.split(".")
        for depth in range(len(parts)):
            children = inside.setdefault(".".join(parts[:depth]), {})
            children.setdefault(parts[depth], set()).add((".".join(parts[depth + 1 :]), *kind))
    groups = {
        tuple(name for name, own in children.items() if own == each and not name.isdigit())
        for children in inside.values()
        for each in children.values()
    }
    return sorted((list(group) for group in groups if len(group) > 1), key=lambda group: (len(group), group))


@dataclass(frozen=True)
class Matching:
    """Which layers stand for which, also where sizes that are equal would leave it open.

    Args:
        exchanged: parts of our names that change places with what shapes and names say.
        plan: for parameters of these names, what `from_ours` gives where all sizes differ.
    """

    exchanged: Mapping[str, str] = field(default_factory=dict)
    plan: Mapping[str, list[str]] = field(default_factory=dict)

    def of(self, ours: Mapping[str, tuple], theirs: Mapping[str, tuple]) -> Mapping[str, list[str]]:
        """Do what `from_ours` does."""
        same = self.plan.keys() == theirs.keys() and {each for those in self.plan.values() for each in those} == {*ours}
        return self.plan if same else from_ours(ours, theirs, self.exchanged)


def matchings(ours: Mapping[str, tuple], theirs: Mapping[str, tuple]) -> list[Matching]:
    """List ways to match layers: what shapes and names say, then others where they leave it open.

    Args:
        ours: the `kinds` of the parameters of the task's class, in which all sizes should differ.
        theirs: those of the other one.
    """
    every = itertools.chain([{}], _exchanges(ours, theirs))
    return [Matching(exchanged, from_ours(ours, theirs, exchanged)) for exchanged in every]


def _exchanges(ours: Mapping[str, tuple], theirs: Mapping[str, tuple]) -> Iterator[dict[str, str]]:
    """Yield which parts of our names could change places: layers alike in shape, of which the names do not speak."""
    spoken = set().union(*map(said, theirs))
    packed = {part for parts in from_ours(ours, theirs).values() if len(parts) > 1 for each in parts
              for part in each.split(".")[-2:]}  # fmt: skip
    groups: list[list[str]] = []
    for group in _alike(ours):
        free = [part for part in group if not said(f"{part}.weight") & spoken and part not in packed]
        number = math.prod(math.factorial(len(each)) for each in [*groups, free])
        if len(free) > 1 and number <= AT_MOST:
            groups.append(free)
    for chosen in itertools.islice(itertools.product(*map(itertools.permutations, groups)), 1, None):
        yield {old: new for group, order in zip(groups, chosen, strict=True)
               for old, new in zip(group, order, strict=True)}  # fmt: skip


def silent(theirs: Mapping[str, tuple]) -> list[str]:
    """List the layers of one shape of whose part neither their names speak nor a number in them."""
    names = [name for name, (kind, _) in theirs.items() if kind in ("matrix", "gain")
             and not said(name) and not re.search(r"\d", name)]  # fmt: skip
    return [name.removesuffix(".weight") for name in names if sum(theirs[name] == theirs[each] for each in names) > 1]
