"""The table of operators: what may stand in the place of an expression, each with the question that it answers.

What a question says is about the line, never about the change.
"""

import ast
import itertools
from collections.abc import Callable
from typing import Any

from course_checks.repair.trees import (
    Rewrite,
    along,
    called,
    changed,
    exchanged,
    integer,
    is_read,
    made,
    name,
    number,
    replaced,
)

TABLE: list[tuple[str, bool, Rewrite]] = []  # the question, whether it only adds something, what changes
WHICH_WAY = "what does True stand for here: what is kept, or what is hidden?"
WHICH_NAME = "is the right variable used in each place of this line?"
_BORDER = "does it begin, or end, one place too early or too late?"
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
    ast.Div: (ast.Mult,), ast.FloorDiv: (ast.Mod,), ast.MatMult: (ast.Mult,),
    ast.Pow: (ast.Mult, ast.Div), ast.Mod: (ast.FloorDiv,), ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitAnd: (ast.BitOr,),
}  # fmt: skip


def operator(question: str, adds: bool = False) -> Callable[[Rewrite], Rewrite]:
    """Decorate a function that yields what may stand in the place of an expression, with the question of the line."""

    def add(rewrite: Rewrite) -> Rewrite:
        TABLE.append((question, adds, rewrite))
        return rewrite

    return add


def _but(now: Any, *values: Any) -> list:
    return [each for each in values if each != now]


def _named(node: ast.Call, argument: str) -> bool:
    return any(each.arg == argument for each in node.keywords)


def _with_keyword(node: ast.Call, argument: str, value: ast.expr) -> ast.Call:
    return changed(node, keywords=[*node.keywords, ast.keyword(argument, value)])


def _transposed_by(node: ast.expr, one: int, other: int) -> ast.expr:
    return made("x.transpose(i, j)", x=node, i=one, j=other)


@operator("over which dimension does this line go, and which one of the shape should be summed up, compared or made to "
          "sum to 1?")  # fmt: skip
def _reduced_over_another(node, scope):
    if along(node) in _REDUCE:
        yield from _other_dimension(node)


@operator("along which dimension does this line join, cut or pick, and what does that dimension hold?")
def _joined_along_another(node, scope):
    if along(node) in _ALONG:
        yield from _other_dimension(node)


def _other_dimension(node):
    found = any(each.arg in ("dim", "axis", "dims") for each in node.keywords)
    for index, keyword in enumerate(node.keywords):
        now = integer(keyword.value)
        if keyword.arg in ("dim", "axis", "dims") and now is not None:
            for other in _but(now, -1, -2, 0, 1, 2, -3):
                yield changed(node, keywords=replaced(node.keywords, index, changed(keyword, value=number(other))))
    for index, argument in enumerate(node.args):
        now = integer(argument)
        if now is not None and -5 < now < 5:
            found = True
            for other in _but(now, -1, -2, 0, 1, 2, -3, 3):
                yield changed(node, args=replaced(node.args, index, number(other)))
    for dim in (-1, -2, 0, 1) if not found and called(node) in _REDUCE else ():
        over = _with_keyword(node, "dim", number(dim))
        yield over
        yield _with_keyword(over, "keepdim", ast.Constant(True))


@operator("should the dimension stay, with size 1, so that the shapes still line up?")
def _keepdim(node, scope):
    if along(node) in _REDUCE and _named(node, "keepdim"):
        yield changed(node, keywords=[each for each in node.keywords if each.arg != "keepdim"])
    elif along(node) in _REDUCE and (node.args or node.keywords):
        yield _with_keyword(node, "keepdim", ast.Constant(True))


@operator("which dimensions change places here, and which should?")
def _transposed(node, scope):
    if called(node) in ("transpose", "swapaxes", "permute", "swapdims") and isinstance(node.func, ast.Attribute):
        numbers = [integer(each) for each in node.args]
        pairs = ((-2, -1), (1, 2), (0, 1), (-3, -2), (2, 3), (0, 2))
        if called(node) == "permute":
            orders = [each for each in itertools.permutations(numbers) if list(each) != numbers]
        else:
            orders = [each for each in pairs if set(each) != set(numbers)]
        for order in orders if numbers and None not in numbers and len(numbers) <= 5 else ():
            yield changed(node, args=[number(each) for each in order])
        yield node.func.value
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H", "mH"):
        yield node.value
        if node.attr == "T":
            yield _transposed_by(node.value, -2, -1)


@operator("`view` and `reshape` keep the order of the numbers, a transpose changes it: which one is needed?")
def _reshaped(node, scope):
    if called(node) not in ("view", "reshape", "flatten", "unflatten"):
        return
    for pair in ((1, 2), (-2, -1), (0, 1), (2, 3)):
        yield changed(node, func=changed(node.func, value=_transposed_by(node.func.value, *pair)))
        yield _transposed_by(node, *pair)
    if called(node) in ("view", "reshape"):
        yield _transposed_by(node.func.value, -2, -1)
        for first in range(len(node.args) - 1):
            sizes = [*node.args[:first], node.args[first + 1], node.args[first], *node.args[first + 2 :]]
            yield _transposed_by(changed(node, args=sizes), first, first + 1)


@operator("which of the two comes first?")
def _exchanged(node, scope):
    unlike = ast.MatMult | ast.Sub | ast.Div | ast.Pow | ast.FloorDiv | ast.Mod
    if isinstance(node, ast.BinOp) and isinstance(node.op, unlike):
        yield changed(node, left=node.right, right=node.left)
    if isinstance(node, ast.Call):
        for arguments in exchanged(node.args):
            yield changed(node, args=arguments)
        for values in exchanged([each.value for each in node.keywords]):
            keywords = [changed(each, value=value) for each, value in zip(node.keywords, values, strict=True)]
            yield changed(node, keywords=keywords)
    if isinstance(node, ast.Tuple | ast.List):
        for parts in exchanged(node.elts):
            yield changed(node, elts=parts)
    if isinstance(node, ast.IfExp):
        yield changed(node, body=node.orelse, orelse=node.body)


@operator("does the border itself belong to it, and does the comparison point the right way?")
def _order_compared(node, scope):
    yield from _comparison(node, ast.Lt | ast.LtE | ast.Gt | ast.GtE)


@operator("for which entries should this comparison be True?")
def _equal_compared(node, scope):
    yield from _comparison(node, ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn)


def _comparison(node, kind):
    for index, each in enumerate(node.ops if isinstance(node, ast.Compare) else ()):
        for other in _COMPARISONS[type(each)] if isinstance(each, kind) else ():
            yield changed(node, ops=replaced(node.ops, index, other()))


@operator("what do True and False mean in this place?")
def _other_truth(node, scope):
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)


@operator(WHICH_WAY)
def _inverted(node, scope):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert | ast.Not):
        yield node.operand
    if called(node) in ("masked_fill", "masked_fill_", "where", "masked_select"):
        for index, argument in enumerate(node.args[:2]):
            if not isinstance(argument, ast.Constant | ast.UnaryOp):
                yield changed(node, args=replaced(node.args, index, made("~mask", mask=argument)))
    if isinstance(node, ast.IfExp):
        yield changed(node, test=made("not test", test=node.test))
    if isinstance(node, ast.BoolOp):
        yield changed(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.Compare) and is_read(node):
        yield changed(node, slice=made("~mask", mask=node.slice))


@operator("which number should what is hidden or empty become here?")
def _filled(node, scope):
    if called(node) in ("masked_fill", "masked_fill_", "where", "full", "full_like", "nan_to_num", "fill_"):
        for index, argument in enumerate(node.args):
            text = ast.unparse(argument).replace(" ", "")
            if isinstance(argument, ast.Constant | ast.UnaryOp) or "inf" in text:
                for other in _but(text, "-float('inf')", "float('inf')", "0.0", "1.0", "0", "1"):
                    yield changed(node, args=replaced(node.args, index, made(other)))


@operator("is this the function of the formula?")
def _alike(node, scope):
    for group in _ALIKE if isinstance(node, ast.Call) else ():
        for other in group if called(node) in group else ():
            if other != called(node):
                field = "attr" if isinstance(node.func, ast.Attribute) else "id"
                yield changed(node, func=changed(node.func, **{field: other}))


@operator("`/` makes a float and `//` an integer: which one does this place need?")
def _division(node, scope):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv):
        yield changed(node, op=ast.Div() if isinstance(node.op, ast.FloorDiv) else ast.FloorDiv())


@operator("is each size and each operation of this line the one that the task asks for? Check them one by one")
def _size(node, scope):
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        now = integer(node.slice)
        for other in _but(now, -1, -2, 0, 1, -3, 2) if now is not None else ():
            yield changed(node, slice=number(other))
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield changed(node, op=other())
        yield node.left
        yield node.right
        if isinstance(node.op, ast.Div | ast.Mult) and not isinstance(node.right, ast.Name):
            for other in scope.named("number"):
                yield changed(node, right=name(other))


@operator("in which order do its entries come, and in which should they?")
def _step(node, scope):
    if isinstance(node, ast.Slice) and node.step is not None:
        yield changed(node, step=None)


@operator(_BORDER)
def _off_by_one(node, scope):
    if isinstance(node, ast.Slice):
        for part, bound in (("lower", 1), ("upper", -1)):
            yield changed(node, **{part: None if getattr(node, part) is not None else number(bound)})
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield number(node.value + 1)
        yield number(node.value - 1)
    elif called(node) in ("range", "arange", "tril", "triu", "cumsum", "diagonal", "diag_embed", "roll", "eye"):
        for index, argument in enumerate(node.args):
            for moved in ("n + 1", "n - 1"):
                yield changed(node, args=replaced(node.args, index, made(moved, n=argument)))
        for value in (1, -1) if called(node) in ("tril", "triu") else ():
            yield changed(node, args=[*node.args, number(value)])
        if called(node) == "range" and len(node.args) == 1:
            yield changed(node, args=[number(1), *node.args])


@operator(_BORDER)
def _bound_moved(node, scope):
    for moved in ("n + 1", "n - 1"):
        for part in ("lower", "upper") if isinstance(node, ast.Slice) else ():
            bound = getattr(node, part)
            if bound is not None and not isinstance(bound, ast.Constant):
                yield changed(node, **{part: made(moved, n=bound)})
        if isinstance(node, ast.Compare) and len(node.comparators) == 1:
            yield changed(node, comparators=[made(moved, n=node.comparators[0])])


@operator("does this step belong here?")
def _step_dropped(node, scope):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and called(node) != "item":
        yield node.func.value
    if isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield node.operand
    if isinstance(node, ast.Subscript) and is_read(node):
        yield node.value
    for index in range(len(node.values)) if isinstance(node, ast.BoolOp) else ():
        rest = node.values[:index] + node.values[index + 1 :]
        yield rest[0] if len(rest) == 1 else changed(node, values=rest)


@operator("which part of the tensor does this index take, one of them or all?")
def _all_of_it(node, scope):
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for index, each in enumerate(node.slice.elts):
            if not isinstance(each, ast.Slice):
                yield changed(node, slice=changed(node.slice, elts=replaced(node.slice.elts, index, ast.Slice())))


@operator("an order says where each place takes from; which order brings back what it has moved?")
def _inverse_order(node, scope):
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and is_read(node):
        yield changed(node, slice=made("order.argsort()", order=node.slice))


@operator(WHICH_NAME)
def _other_name(node, scope):
    if isinstance(node, ast.Name) and is_read(node):
        for other in scope.like(node.id):
            yield changed(node, id=other)
    if isinstance(node, ast.Attribute) and is_read(node) and getattr(node.value, "id", "") == "self":
        its = scope.attributes.get(node.attr)
        for other, kind in scope.attributes.items():
            if its is not None and kind == its and other != node.attr:
                yield changed(node, attr=other)


@operator("is each argument of this call needed, and does it have the value that the task names?")
def _keyword(node, scope):
    if isinstance(node, ast.Call):
        for index in range(len(node.keywords)):
            yield changed(node, keywords=node.keywords[:index] + node.keywords[index + 1 :])
        if len(node.args) > 1:
            yield changed(node, args=node.args[:-1])
        for keyword in scope.keywords.get(called(node), {}).values():  # another call of this function has them
            if not _named(node, keyword.arg):
                yield changed(node, keywords=[*node.keywords, keyword])
        if called(node) in ("var", "std") and not _named(node, "correction"):
            yield _with_keyword(node, "correction", number(0))


@operator("a part is made in `__init__` that `forward` never uses: where does it belong?", adds=True)
def _unused_part(node, scope):
    if isinstance(node, ast.Call | ast.BinOp | ast.Name) and is_read(node):
        for part in scope.unused:
            yield made(f"self.{part}(x)", x=node)


@operator("is everything that the formula divides or multiplies by there?", adds=True)
def _scaled(node, scope):
    if id(node) not in scope.whole or not isinstance(node, ast.BinOp | ast.Call):
        return
    if called(node) in ("range", "len", "sqrt", "int"):
        return
    sizes = [*scope.named("number"), *(f"{x}.shape[{dim}]" for x in scope.named("tensor") for dim in (-1, -2))]
    for size in sizes[:10]:
        for text in ("x / size**0.5", "x * size**0.5", "x / size", "x * size"):
            yield made(text, x=node, size=made(size))


@operator("do the rows and columns of both factors stand the right way round?", adds=True)
def _transposes(node, scope):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult | ast.Sub | ast.Add | ast.Mult | ast.BitAnd):
        for pair in ((-2, -1), (1, 2)):
            yield changed(node, right=_transposed_by(node.right, *pair))
            yield changed(node, left=_transposed_by(node.left, *pair))
    if isinstance(node, ast.BinOp | ast.Call):
        yield _transposed_by(node, -2, -1)


@operator("which size-1 dimension does this shape need, so that the two line up?", adds=True)
def _unsqueezed(node, scope):
    for dim in (-1, -2, 0, 1) if isinstance(node, ast.BinOp) else ():
        yield changed(node, right=made("x.unsqueeze(dim)", x=node.right, dim=dim))
        yield changed(node, left=made("x.unsqueeze(dim)", x=node.left, dim=dim))


@operator("is a factor, a root or a sign missing in this line? Compare it with the formula, sign by sign", adds=True)
def _factor(node, scope):
    value = isinstance(node, ast.Name) and is_read(node) and scope.kinds.get(node.id) in ("tensor", "number")
    if (isinstance(node, ast.BinOp | ast.Call) or value) and called(node) not in ("range", "len", "enumerate", "zip"):
        for text in ("-x", "x**0.5", "x**2", "x**-1", "x * 2", "x * 0.5", "1 - x", "x + 1"):
            yield made(text, x=node)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in (0, 1):
        now = node.value
        for other in (now * 2, now / 2, -now, 1 / now, now * 10, now / 10):
            yield number(type(now)(other) if type(now)(other) == other else other)
        yield number(1)


@operator("must the gradient flow through this, or must it not?", adds=True)
def _detached(node, scope):
    if isinstance(node, ast.Name) and scope.kinds.get(node.id) == "tensor" and is_read(node):
        yield made("x.detach()", x=node)
        yield made("x.clone()", x=node)


@operator("in which dtype does this line compute, and which one should the result have?", adds=True)
def _dtype(node, scope):
    if isinstance(node, ast.Attribute) and node.attr in ("float32", "float64", "float16", "long", "float"):
        for x in scope.named("tensor"):
            yield made(f"{x}.dtype")
    if called(node) in ("zeros", "ones", "arange", "full", "tensor", "eye", "empty") and not _named(node, "dtype"):
        for dtype in ("float64", "bool", "long"):
            yield _with_keyword(node, "dtype", made(f"__import__('torch').{dtype}"))


_WITH = {"boolean tensor": "*", "number": "*/-+", "tensor": "*/-+@"}


@operator("is everything that the formula names there? Go through the formula, letter by letter", adds=True)
def _with_another(node, scope):
    if id(node) not in scope.whole or not isinstance(node, ast.BinOp | ast.Call | ast.Name) or not is_read(node):
        return
    if isinstance(node, ast.Name) and scope.kinds.get(node.id) not in ("tensor", "number"):
        return
    for other, kind in scope.kinds.items():
        for sign in _WITH.get(kind, "") if other != getattr(node, "id", None) else "":
            yield made(f"x {sign} other", x=node, other=name(other))
    for method in ("exp", "sum", "mean", "sqrt", "log", "item", "square", "abs"):
        yield made(f"x.{method}()", x=node)
