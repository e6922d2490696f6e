"""Small changes of a program: one table of operators on its syntax tree, each with the question that it answers.

`repair` applies them to a learner's own code. A change is yielded while it stands in the tree and undone afterwards, so
that no tree is ever copied. What a question says is about the line, never about the change.
"""

import ast
import copy
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field


@dataclass
class Scope:
    """What is known of a program beside its tree.

    Args:
        lines: the numbers of the lines that ran; None where that is not known.
        kinds: "tensor", "number" or another word for the values of each name.
        attributes: the names of `self.name`, each with what makes it, such as "nn.Linear".
        unused: those of them that are made and never used.
        whole: the ids of what is assigned, returned or handed over as a whole.
        keywords: for the name of each function those arguments that its calls here and in the right program name.
    """

    lines: set[int] | None = None
    kinds: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    whole: set[int] = field(default_factory=set)
    keywords: dict[str, dict[str, ast.keyword]] = field(default_factory=dict)

    def note_keywords(self, *programs: ast.AST) -> None:
        """Note the arguments that calls name, where they are constants."""
        for call in (node for program in programs for node in ast.walk(program) if isinstance(node, ast.Call)):
            named = {ast.unparse(each): each for each in call.keywords if isinstance(each.value, ast.Constant)}
            self.keywords.setdefault(_called(call), {}).update(named)


@dataclass(frozen=True)
class Change:
    """A changed program: the line of the original that it changes, the question, and whether it only adds something."""

    line: int
    question: str
    adds: bool
    kind: str


Rewrite = Callable[[ast.AST, Scope], Iterator[ast.AST]]
_TABLE: list[tuple[str, bool, Rewrite]] = []
_SIZES = ("shape", "size")
_REDUCE = ("sum", "mean", "amax", "amin", "max", "min", "prod", "std", "var", "norm", "logsumexp", "all", "any",
           "argmax", "argmin", "softmax", "log_softmax", "cumsum", "cumprod", "sort", "argsort", "topk", "median",
           "softmin", "flip", "roll", "normalize", "cumulative_sum")  # fmt: skip
_ALONG = ("cat", "concat", "stack", "unsqueeze", "squeeze", "flatten", "unflatten", "chunk", "split", "unbind",
          "gather", "scatter", "scatter_", "repeat_interleave", "index_select", "select", "narrow", "size", "index_add",
          "tensor_split", "diff")  # fmt: skip
_ALIKE = [
    ("sum", "mean", "prod", "amax", "amin", "max", "min", "logsumexp", "norm"), ("all", "any"),
    ("square", "abs"), ("var", "std", "norm"), ("argmax", "argmin"), ("softmax", "log_softmax", "sigmoid", "exp"),
    ("sin", "cos"), ("exp", "log", "exp2", "log2", "expm1", "log1p"), ("sqrt", "rsqrt", "square", "reciprocal"),
    ("tril", "triu"), ("zeros", "ones", "empty"), ("zeros_like", "ones_like"), ("ceil", "floor", "round", "trunc"),
    ("relu", "gelu", "silu", "tanh", "sigmoid", "elu"), ("ReLU", "GELU", "SiLU", "Tanh", "Sigmoid"),
    ("LayerNorm", "RMSNorm"), ("rand", "randn"), ("cumsum", "cumprod"), ("minimum", "maximum"), ("min", "max"),
    ("repeat", "repeat_interleave"), ("cat", "stack"), ("append", "extend"), ("eval", "train"), ("lt", "le"),
    ("gt", "ge"), ("logical_and", "logical_or"), ("mul", "add"), ("Parameter", "Buffer"), ("int", "round"),
    ("index_add", "index_copy"),
]  # fmt: skip
_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE), ast.LtE: (ast.Lt, ast.GtE, ast.Gt), ast.Gt: (ast.GtE, ast.Lt, ast.LtE),
    ast.GtE: (ast.Gt, ast.LtE, ast.Lt), ast.Eq: (ast.NotEq, ast.GtE, ast.LtE), ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
_ARITHMETIC = {
    ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add, ast.Div), ast.Mult: (ast.Div, ast.MatMult, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv), ast.FloorDiv: (ast.Div, ast.Mod), ast.MatMult: (ast.Mult,),
    ast.Pow: (ast.Mult, ast.Div), ast.Mod: (ast.FloorDiv,), ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitAnd: (ast.BitOr,),
}  # fmt: skip


def operator(question: str, adds: bool = False) -> Callable[[Rewrite], Rewrite]:
    """Decorate a function that yields what may stand in the place of an expression, with the question of the line."""

    def add(rewrite: Rewrite) -> Rewrite:
        _TABLE.append((question, adds, rewrite))
        return rewrite

    return add


def changes(definition: ast.AST, scope: Scope) -> Iterator[Change]:
    """Change a function or class in one place after another, the likeliest changes first.

    Args:
        definition: the tree; while a change is yielded it holds it, and afterwards it is what it was.
        scope: what is known beside it.

    Yields:
        What is changed just now.
    """
    nodes = list(_places(definition, scope))
    for parent, _, _, child in nodes:
        if isinstance(parent, ast.Assign | ast.Return | ast.AugAssign | ast.Tuple | ast.Call):
            scope.whole.add(id(child))
    first = [each for each in nodes if not _in_constructor(each[3], definition)]
    rest = [each for each in nodes if _in_constructor(each[3], definition)]
    replacing, adding = ([each for each in _TABLE if each[1] == adds] for adds in (False, True))
    yield from _of_expressions(replacing, first, scope)
    yield from _of_statements(definition, scope)
    yield from _of_expressions(adding, first, scope)
    yield from _of_expressions(replacing, rest, scope)
    yield from _of_expressions(adding, rest, scope)


def _in_constructor(node: ast.AST, definition: ast.AST) -> bool:
    return isinstance(definition, ast.ClassDef) and any(
        isinstance(each, ast.FunctionDef) and each.name == "__init__" and each.lineno <= node.lineno <= each.end_lineno
        for each in definition.body
    )


def _of_expressions(table: list, nodes: list, scope: Scope) -> Iterator[Change]:
    for question, adds, rewrite in table:
        for parent, name, index, child in nodes:
            for changed in rewrite(child, scope):
                _put(parent, name, index, ast.fix_missing_locations(ast.copy_location(changed, child)))
                yield Change(child.lineno, question, adds, rewrite.__name__.strip("_"))
                _put(parent, name, index, child)


def _places(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Yield the expressions that ran, each with its parent, field and position; not those that refuse wrong input."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "ctx") or _is_guard(node):
            continue
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.expr) and (scope.lines is None or _ran(child, scope)):
                yield node, name, index if isinstance(value, list) else None, child
            yield from _places(child, scope)


def _ran(node: ast.AST, scope: Scope) -> bool:
    return any(line in scope.lines for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _is_guard(node: ast.AST) -> bool:
    """Say whether a statement only refuses wrong input, documents, or begins a module."""
    if isinstance(node, ast.Raise | ast.Assert):
        return True
    if isinstance(node, ast.Expr):
        text = ast.unparse(node)
        return isinstance(node.value, ast.Constant) or text.startswith(("require", "super("))
    return isinstance(node, ast.If) and all(_is_guard(each) for each in node.body)


def _put(parent: ast.AST, name: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[index] = node


def _with(node: ast.AST, **fields) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _replaced(values: list, index: int, value) -> list:
    return [*values[:index], value, *values[index + 1 :]]


def _called(node: ast.AST) -> str:
    """Give the last part of the name of the function that a node calls, or an empty text."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", None) or getattr(node.func, "id", "")


def _integer(node: ast.AST) -> int | None:
    """Give the number that a node stands for, if it is a whole one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = _integer(node.operand)
        return None if found is None else -found
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _number(value: float) -> ast.expr:
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def _method(node: ast.expr, name: str, *arguments: int) -> ast.Call:
    return ast.Call(ast.Attribute(node, name, ast.Load()), [_number(each) for each in arguments], [])


def _loads(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


@operator("over which dimension does this line go, and which one of the shape should be summed up, compared or made to "
          "sum to 1?")  # fmt: skip
def _other_dimension(node, scope):
    name = _called(node)
    if name not in (*_REDUCE, *_ALONG):
        return
    found = False
    for index, keyword in enumerate(node.keywords):
        now = _integer(keyword.value)
        if keyword.arg in ("dim", "axis", "dims") and now is not None:
            found = True
            for other in (-1, -2, 0, 1, 2, -3):
                if other != now:
                    changed = _with(keyword, value=_number(other))
                    yield _with(node, keywords=_replaced(node.keywords, index, changed))
        found = found or keyword.arg in ("dim", "axis")
    for index, argument in enumerate(node.args):
        now = _integer(argument)
        if now is not None and -5 < now < 5:
            found = True
            for other in (-1, -2, 0, 1, 2, -3, 3):
                if other != now:
                    yield _with(node, args=_replaced(node.args, index, _number(other)))
    if not found and name in _REDUCE:
        for dim in (-1, -2, 0, 1):
            keywords = [*node.keywords, ast.keyword("dim", _number(dim))]
            yield _with(node, keywords=keywords)
            yield _with(node, keywords=[*keywords, ast.keyword("keepdim", ast.Constant(True))])


@operator("should the dimension stay, with size 1, so that the shapes still line up?")
def _keepdim(node, scope):
    if _called(node) not in _REDUCE:
        return
    others = [keyword for keyword in node.keywords if keyword.arg != "keepdim"]
    if len(others) < len(node.keywords):
        yield _with(node, keywords=others)
    elif node.args or others:
        yield _with(node, keywords=[*others, ast.keyword("keepdim", ast.Constant(True))])


@operator("which dimensions change places here, and which should?")
def _transposed(node, scope):
    name = _called(node)
    if name in ("transpose", "swapaxes", "permute", "swapdims") and isinstance(node.func, ast.Attribute):
        numbers = [_integer(each) for each in node.args]
        known = None not in numbers and numbers
        if known and name != "permute" and len(numbers) == 2:
            for pair in ((-2, -1), (1, 2), (0, 1), (-3, -2), (2, 3), (0, 2)):
                if set(pair) != set(numbers):
                    yield _with(node, args=[_number(each) for each in pair])
        elif known and len(numbers) <= 5:
            for order in itertools.permutations(numbers):
                if list(order) != numbers:
                    yield _with(node, args=[_number(each) for each in order])
        yield node.func.value
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H", "mH"):
        yield node.value
        if node.attr == "T":
            yield _method(node.value, "transpose", -2, -1)


@operator("which of the two comes first?")
def _exchanged(node, scope):
    if isinstance(node, ast.BinOp) and isinstance(
        node.op, ast.MatMult | ast.Sub | ast.Div | ast.Pow | ast.FloorDiv | ast.Mod
    ):
        yield _with(node, left=node.right, right=node.left)
    if isinstance(node, ast.Call):
        values = [keyword.value for keyword in node.keywords]
        for one, other in itertools.combinations(range(len(node.args)), 2):
            arguments = list(node.args)
            arguments[one], arguments[other] = arguments[other], arguments[one]
            yield _with(node, args=arguments)
        for one, other in itertools.combinations(range(len(values)), 2):
            keywords = list(node.keywords)
            keywords[one] = _with(keywords[one], value=values[other])
            keywords[other] = _with(keywords[other], value=values[one])
            yield _with(node, keywords=keywords)
    if isinstance(node, ast.Tuple | ast.List):
        for one, other in itertools.combinations(range(len(node.elts)), 2):
            parts = list(node.elts)
            parts[one], parts[other] = parts[other], parts[one]
            yield _with(node, elts=parts)
    if isinstance(node, ast.IfExp):
        yield _with(node, body=node.orelse, orelse=node.body)


@operator("does the border itself belong to it, and does the comparison point the right way?")
def _comparison(node, scope):
    if isinstance(node, ast.Compare):
        for index, each in enumerate(node.ops):
            for other in _COMPARISONS.get(type(each), ()):
                yield _with(node, ops=_replaced(node.ops, index, other()))


@operator("what does True stand for here: what is kept, or what is hidden?")
def _inverted(node, scope):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert | ast.Not):
        yield node.operand
    name = _called(node)
    if name in ("masked_fill", "masked_fill_", "where", "masked_select"):
        for index, argument in enumerate(node.args[:2]):
            if not isinstance(argument, ast.Constant | ast.UnaryOp):
                yield _with(node, args=_replaced(node.args, index, ast.UnaryOp(ast.Invert(), argument)))
    if isinstance(node, ast.IfExp):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    if isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.Compare) and _loads(node):
        yield _with(node, slice=ast.UnaryOp(ast.Invert(), node.slice))


@operator("which number should what is hidden or empty become here?")
def _filled(node, scope):
    if _called(node) in ("masked_fill", "masked_fill_", "where", "full", "full_like", "nan_to_num", "fill_"):
        for index, argument in enumerate(node.args):
            text = ast.unparse(argument).replace(" ", "")
            if isinstance(argument, ast.Constant | ast.UnaryOp) or "inf" in text:
                for other in ("-float('inf')", "float('inf')", "0.0", "1.0", "0", "1"):
                    if other != text:
                        yield _with(node, args=_replaced(node.args, index, ast.parse(other, mode="eval").body))


@operator("is this the function of the formula?")
def _alike(node, scope):
    name = _called(node)
    for group in _ALIKE:
        if name in group:
            for other in group:
                if other != name:
                    named = {"attr": other} if isinstance(node.func, ast.Attribute) else {"id": other}
                    yield _with(node, func=_with(node.func, **named))


@operator("is each size and each operation of this line that of the formula? Check them one by one")
def _size(node, scope):
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        now = _integer(node.slice)
        for other in (-1, -2, 0, 1, -3, 2) if now is not None else ():
            if other != now:
                yield _with(node, slice=_number(other))
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield _with(node, op=other())
        yield node.left
        yield node.right
        if isinstance(node.op, ast.Div | ast.Mult) and not isinstance(node.right, ast.Name):
            for name, kind in scope.kinds.items():
                if kind == "number":
                    yield _with(node, right=ast.Name(name, ast.Load()))


@operator("does it begin, or end, one place too early or too late?")
def _off_by_one(node, scope):
    if isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            bound = getattr(node, part)
            if bound is not None:
                yield _with(node, **{part: None})
            elif part == "lower":
                yield _with(node, lower=ast.Constant(1))
            elif part == "upper":
                yield _with(node, upper=_number(-1))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for value in (node.value + 1, node.value - 1):
            yield _number(value)
    elif _called(node) in ("range", "arange", "tril", "triu", "cumsum", "diagonal", "diag_embed", "roll", "eye"):
        if node.args:
            for index, argument in enumerate(node.args):
                for op in (ast.Add(), ast.Sub()):
                    yield _with(node, args=_replaced(node.args, index, ast.BinOp(argument, op, ast.Constant(1))))
        if _called(node) in ("tril", "triu"):
            for value in (1, -1):
                yield _with(node, args=[*node.args, _number(value)])
        if _called(node) == "range" and len(node.args) == 1:
            yield _with(node, args=[ast.Constant(1), *node.args])


@operator("does it begin, or end, one place too early or too late?")
def _bound_moved(node, scope):
    if isinstance(node, ast.Slice):
        for part in ("lower", "upper"):
            bound = getattr(node, part)
            if bound is not None and not isinstance(bound, ast.Constant):
                for op in (ast.Add(), ast.Sub()):
                    yield _with(node, **{part: ast.BinOp(bound, op, ast.Constant(1))})
    if isinstance(node, ast.Compare) and len(node.comparators) == 1:
        for op in (ast.Add(), ast.Sub()):
            yield _with(node, comparators=[ast.BinOp(node.comparators[0], op, ast.Constant(1))])


@operator("does this step belong here?")
def _step_dropped(node, scope):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _called(node) != "item":
        yield node.func.value
    if isinstance(node, ast.Call) and len(node.args) >= 1 and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield node.operand
    if isinstance(node, ast.Subscript) and _loads(node):
        yield node.value
    if isinstance(node, ast.BoolOp):
        for index in range(len(node.values)):
            rest = node.values[:index] + node.values[index + 1 :]
            yield rest[0] if len(rest) == 1 else _with(node, values=rest)


@operator("which part of the tensor does this index take, one of them or all?")
def _all_of_it(node, scope):
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for index, each in enumerate(node.slice.elts):
            if not isinstance(each, ast.Slice):
                yield _with(node, slice=_with(node.slice, elts=_replaced(node.slice.elts, index, ast.Slice())))


@operator("an order says where each place takes from; which order brings back what it has moved?")
def _inverse_order(node, scope):
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and _loads(node):
        yield _with(node, slice=_method(node.slice, "argsort"))


@operator("is the right variable used in each place of this line?")
def _other_name(node, scope):
    if isinstance(node, ast.Name) and _loads(node):
        kind = scope.kinds.get(node.id)
        for other, its in scope.kinds.items():
            if kind is not None and its == kind and other != node.id:
                yield _with(node, id=other)
    if isinstance(node, ast.Attribute) and _is_self(node) and _loads(node):
        kind = scope.attributes.get(node.attr)
        for other, its in scope.attributes.items():
            if kind is not None and its == kind and other != node.attr:
                yield _with(node, attr=other)


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


@operator("is each argument of this call needed, and does it have the value that the task names?")
def _keyword(node, scope):
    if isinstance(node, ast.Call):
        for index in range(len(node.keywords)):
            yield _with(node, keywords=node.keywords[:index] + node.keywords[index + 1 :])
        if len(node.args) > 1:
            yield _with(node, args=node.args[:-1])
        for keyword in scope.keywords.get(_called(node), {}).values():  # another call of this function has them
            if not any(each.arg == keyword.arg for each in node.keywords):
                yield _with(node, keywords=[*node.keywords, keyword])
        if _called(node) in ("var", "std") and not any(each.arg == "correction" for each in node.keywords):
            yield _with(node, keywords=[*node.keywords, ast.keyword("correction", ast.Constant(0))])


@operator("`view` and `reshape` keep the order of the numbers, a transpose changes it: which one is needed?")
def _reshaped(node, scope):
    if _called(node) not in ("view", "reshape", "flatten", "unflatten"):
        return
    for pair in ((1, 2), (-2, -1), (0, 1), (2, 3)):
        yield _with(node, func=_with(node.func, value=_method(node.func.value, "transpose", *pair)))
        yield _method(node, "transpose", *pair)
    if _called(node) in ("view", "reshape"):
        yield _method(node.func.value, "transpose", -2, -1)
        for first in range(len(node.args) - 1):
            arguments = list(node.args)
            arguments[first], arguments[first + 1] = arguments[first + 1], arguments[first]
            yield _method(_with(node, args=arguments), "transpose", first, first + 1)


@operator("a part is made in `__init__` that `forward` never uses: where does it belong?", adds=True)
def _unused_part(node, scope):
    if scope.unused and isinstance(node, ast.Call | ast.BinOp | ast.Name) and _loads(node):
        for name in scope.unused:
            yield ast.Call(ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load()), [node], [])


@operator("is everything that the formula divides or multiplies by there?", adds=True)
def _scaled(node, scope):
    if id(node) not in scope.whole or not isinstance(node, ast.BinOp | ast.Call):
        return
    if _called(node) in ("range", "len", "sqrt", "int"):
        return
    sizes = [ast.Name(name, ast.Load()) for name, kind in scope.kinds.items() if kind == "number"]
    for name, kind in scope.kinds.items():
        if kind == "tensor":
            for dim in (-1, -2):
                shape = ast.Attribute(ast.Name(name, ast.Load()), "shape", ast.Load())
                sizes.append(ast.Subscript(shape, _number(dim), ast.Load()))
    for size in sizes[:10]:
        root = ast.BinOp(size, ast.Pow(), ast.Constant(0.5))
        for factor in (root, size):
            yield ast.BinOp(node, ast.Div(), factor)
            yield ast.BinOp(node, ast.Mult(), factor)


@operator("do the rows and columns of both factors stand the right way round?", adds=True)
def _transposes(node, scope):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Sub | ast.Add | ast.Mult | ast.BitAnd):
        for pair in ((-2, -1), (1, 2)):
            yield _with(node, right=_method(node.right, "transpose", *pair))
            yield _with(node, left=_method(node.left, "transpose", *pair))
    if isinstance(node, ast.BinOp | ast.Call):
        yield _method(node, "transpose", -2, -1)


@operator("which size-1 dimension does this shape need, so that the two line up?", adds=True)
def _unsqueezed(node, scope):
    if isinstance(node, ast.BinOp):
        for dim in (-1, -2, 0, 1):
            yield _with(node, right=_method(node.right, "unsqueeze", dim))
            yield _with(node, left=_method(node.left, "unsqueeze", dim))


@operator("is a factor, a root or a sign missing in this line? Compare it with the formula, sign by sign", adds=True)
def _factor(node, scope):
    named = isinstance(node, ast.Name) and _loads(node) and scope.kinds.get(node.id) in ("tensor", "number")
    if (isinstance(node, ast.BinOp | ast.Call) or named) and _called(node) not in ("range", "len", "enumerate", "zip"):
        yield ast.UnaryOp(ast.USub(), node)
        for power in (0.5, 2, -1):
            yield ast.BinOp(node, ast.Pow(), _number(power))
        for factor in (2, 0.5):
            yield ast.BinOp(node, ast.Mult(), ast.Constant(factor))
        for op in (ast.Sub(), ast.Add()):
            yield (
                ast.BinOp(ast.Constant(1), ast.Sub(), node)
                if isinstance(op, ast.Sub)
                else ast.BinOp(node, op, ast.Constant(1))
            )
    if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in (0, 1):
        for value in (node.value * 2, node.value / 2, -node.value, 1 / node.value, node.value * 10, node.value / 10):
            yield _number(type(node.value)(value) if type(node.value)(value) == value else value)
        yield ast.Constant(1)


@operator("must the gradient flow through this, or must it not?", adds=True)
def _detached(node, scope):
    if isinstance(node, ast.Name) and scope.kinds.get(node.id) == "tensor" and _loads(node):
        yield _method(node, "detach")
        yield _method(node, "clone")


@operator("in which dtype does this line compute, and which one should the result have?", adds=True)
def _dtype(node, scope):
    if isinstance(node, ast.Attribute) and node.attr in ("float32", "float64", "float16", "long", "float"):
        for name, kind in scope.kinds.items():
            if kind == "tensor":
                yield ast.Attribute(ast.Name(name, ast.Load()), "dtype", ast.Load())
    if isinstance(node, ast.Call) and _called(node) in ("zeros", "ones", "arange", "full", "tensor", "eye", "empty"):
        for dtype in ("float64", "bool", "long"):
            if not any(each.arg == "dtype" for each in node.keywords):
                value = ast.parse(f"__import__('torch').{dtype}", mode="eval").body
                yield _with(node, keywords=[*node.keywords, ast.keyword("dtype", value)])


_OPERATIONS = {"boolean tensor": (ast.Mult,), "number": (ast.Mult, ast.Div, ast.Sub, ast.Add),
               "tensor": (ast.Mult, ast.Div, ast.Sub, ast.Add, ast.MatMult)}  # fmt: skip


@operator("is everything that the formula names there? Go through the formula, letter by letter", adds=True)
def _with_another(node, scope):
    if id(node) not in scope.whole or not isinstance(node, ast.BinOp | ast.Call | ast.Name) or not _loads(node):
        return
    if isinstance(node, ast.Name) and scope.kinds.get(node.id) not in ("tensor", "number"):
        return
    for name, kind in scope.kinds.items():
        if kind in _OPERATIONS and name != getattr(node, "id", None):
            for op in (each() for each in _OPERATIONS[kind]):
                yield ast.BinOp(node, op, ast.Name(name, ast.Load()))
    for name in ("exp", "sum", "mean", "sqrt", "log", "item", "square", "abs"):
        yield _method(node, name)


def _of_statements(definition: ast.AST, scope: Scope) -> Iterator[Change]:
    """Exchange, drop, move and extend whole statements."""
    order, needed = "do these lines come in the right order?", "is this line needed, and is it in the right place?"
    kept = "what was in the variable before: is it lost here, or should it come in?"
    for body in _bodies(definition):
        usable = [
            index
            for index, each in enumerate(body)
            if not isinstance(each, ast.FunctionDef | ast.ClassDef)
            and not _is_guard(each)
            and (scope.lines is None or _ran(each, scope))
        ]
        for index in usable:
            statement = body[index]
            if index + 1 in usable and not isinstance(body[index + 1], ast.Return):
                yield from _while(body, index, 2, [body[index + 1], statement], Change(
                    statement.lineno, order, False, "order"))  # fmt: skip
            for each in _accumulated(statement):
                yield from _while(body, index, 1, [each], Change(statement.lineno, kept, True, "accumulate"))
            yield from _other_name_throughout(statement, scope)
            if isinstance(statement, ast.AugAssign):
                target = _with(statement.target, ctx=ast.Load())
                plain = ast.Assign([statement.target], statement.value, lineno=statement.lineno)
                others = [_with(statement, op=op()) for op in (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.BitOr)
                          if not isinstance(statement.op, op)]  # fmt: skip
                out_of_place = ast.Assign([statement.target], ast.BinOp(target, statement.op, statement.value),
                                          lineno=statement.lineno)  # fmt: skip
                for each in (plain, out_of_place, *others):
                    yield from _while(body, index, 1, [each], Change(statement.lineno, kept, False, "assignment"))
            if isinstance(statement, ast.For | ast.While) and len(statement.body) > 1:
                last = statement.body[-1]
                shorter = _with(statement, body=statement.body[:-1])
                yield from _while(body, index, 1, [shorter, last], Change(last.lineno, needed, False, "out of loop"))
            if isinstance(statement, ast.For) and index + 1 in usable:
                longer = _with(statement, body=[*statement.body, body[index + 1]])
                yield from _while(body, index, 2, [longer], Change(
                    body[index + 1].lineno, needed, False, "into loop"))  # fmt: skip
            if isinstance(statement, ast.If):
                yield from _while(body, index, 1, statement.body, Change(statement.lineno, needed, False, "condition"))
                opposite = _with(statement, test=ast.UnaryOp(ast.Not(), statement.test))
                yield from _while(body, index, 1, [opposite], Change(statement.lineno, _TABLE[5][0], False, "opposite"))
            if isinstance(statement, ast.Break | ast.Continue):
                other = ast.Continue() if isinstance(statement, ast.Break) else ast.Break()
                yield from _while(body, index, 1, [ast.copy_location(other, statement)], Change(
                    statement.lineno, needed, False, "break"))  # fmt: skip
            if not isinstance(statement, ast.Return):
                yield from _while(body, index, 1, [ast.Pass()], Change(statement.lineno, needed, False, "dropped"))


def _accumulated(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Add to what a name held before, or multiply with it; one after the other where several get their values."""
    if not isinstance(statement, ast.Assign):
        return
    target, value = statement.targets[0], statement.value
    several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts)
    for op in (ast.Add, ast.Mult):
        for place, name in enumerate(target.elts if several else [target]):
            if isinstance(name, ast.Name):
                now = value.elts[place] if several else value
                more = ast.BinOp(_with(name, ctx=ast.Load()), op(), now)
                both = _with(value, elts=_replaced(value.elts, place, more)) if several else more
                yield _with(statement, value=both)


def _other_name_throughout(statement: ast.stmt, scope: Scope) -> Iterator[Change]:
    """Exchange a name that stands several times in a statement for another of its kind, at all its places."""
    if hasattr(statement, "body"):
        return
    places = {}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and _loads(node) and node.id in scope.kinds:
            places.setdefault(node.id, []).append(node)
    for name, nodes in places.items():
        for other in scope.kinds if len(nodes) > 1 else ():
            if other != name and scope.kinds[other] == scope.kinds[name]:
                for node in nodes:
                    node.id = other
                yield Change(statement.lineno, "is the right variable used in each place of this line?", False, "names")
                for node in nodes:
                    node.id = name


def _while(body: list, start: int, number: int, statements: list, change: Change) -> Iterator[Change]:
    """Put statements in the place of some, as long as the change is looked at."""
    before = body[start : start + number]
    for each in statements:
        ast.fix_missing_locations(each if hasattr(each, "lineno") else ast.copy_location(each, before[0]))
    body[start : start + number] = statements
    yield change
    body[start : start + len(statements)] = before


def _bodies(node: ast.AST) -> Iterator[list]:
    for each in ast.walk(node):
        for name in ("body", "orelse"):
            statements = getattr(each, name, None)
            if isinstance(statements, list) and not isinstance(each, ast.ClassDef):
                yield statements
