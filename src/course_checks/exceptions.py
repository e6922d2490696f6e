"""What an exception says of the learner's code: its message, the line that raised it, and what it most often means."""

import re
import sysconfig
import traceback
from pathlib import Path

from course_checks.outcomes import first_line
from course_checks.words import Finding, some

_SOURCES = Path(__file__).parents[1]
_NOT_THE_LEARNERS = (
    *(
        str(_SOURCES / package)
        for package in ("course_checks", "course_grader", "torch_watching", "transformer_course")
    ),
    sysconfig.get_paths()["stdlib"],
    "<frozen",
    "<string>",
)


def _learners_line(error: BaseException) -> str:
    """Quote the deepest line of the notebook that an exception went through."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(_NOT_THE_LEARNERS) and "site-packages" not in frame.filename
    ]
    return f", in the line `{frames[-1].line}`" if frames and frames[-1].line else ""


def _of_state_dict(error: Exception) -> Finding:
    """Say which names and shapes `load_state_dict` complains about: a few of them, one line for each kind."""
    text, seen, causes = str(error), [], []
    for kind in ("Missing", "Unexpected"):
        names = re.findall('"([^"]+)"', next(iter(re.findall(rf"{kind} key\(s\) in state_dict: (.*)", text)), ""))
        if names:
            seen.append(f"{kind.lower()}: {some(names)}")
    shapes = re.findall(r"size mismatch for (\S+): .*?Size\(\[([^]]*)\]\).*?Size\(\[([^]]*)\]\)", text)
    if len(seen) == 2:
        causes.append("names that are misspelt or not renamed")
    elif seen:
        more = "the model has more blocks than" if seen[0].startswith("missing") else "the model has fewer blocks than"
        causes.append(f"names that were forgotten or are left over; or: {more} what is loaded")
    if shapes:
        seen.append(some([f"{name} is ({yours}), in the model ({its})" for name, yours, its in shapes], 2))
        turned = [yours.split(", ")[::-1] == its.split(", ") != yours.split(", ") for _, yours, its in shapes]
        causes += ["a matrix is turned that should stay, or stays as it is stored, (width in, width out), and should "
                   "be turned"] if any(turned) else []  # fmt: skip
        causes += [] if all(turned) else ["a size of the model that is not that of the tensors, or a tensor with a "
                                          "dimension too many"]  # fmt: skip
    return Finding("load_state_dict refuses; " + "; ".join(seen) + _learners_line(error),
                   "names and shapes that are those of the model", "; or: ".join(causes) or _likely_cause(error, ""),
                   "print names and shapes of `model.state_dict()` and of what you load, side by side")  # fmt: skip


def of_pair(error: Exception) -> Finding | None:
    """Explain an operation on all that `max` with a dimension returns."""
    pair = re.search(r"return_types\.(\w+)", str(error)) if isinstance(error, TypeError) else None
    return pair and Finding(_raised(error), "a result", f"`{pair[1]}` with a dimension returns a pair, the values and "
                            "their places, which is used here as if it were one tensor", "print what it returns, and "
                            "take the part that you need")  # fmt: skip


def _raised(error: Exception) -> str:
    return f"it raised {type(error).__name__}: {first_line(error)}{_learners_line(error)}"


def of_exception(error: Exception) -> Finding:
    """Describe an exception, with the line of the learner's that raised it."""
    if "in loading state_dict for" in str(error):
        return _of_state_dict(error)
    where = ", at that line" if _learners_line(error) else ""
    return Finding(_raised(error), "a result", _likely_cause(error, where),
                   "call your function on small inputs by itself, and print what goes into that line, with its "
                   "shape")  # fmt: skip


_CAUSES: list[tuple[type[Exception], str, str]] = [  # the first that fits: the kind, a pattern of its text, the words
    (NameError, "", "a name that is misspelt, is not imported, or is defined in a cell that was not run"),
    (TypeError, "tuple.*Tensor|Tensor.*tuple", "a pair of results (a tuple) is used as if it were one tensor: take the "
     "one that you need out of it"),
    (TypeError, "got float|but got.*float|'float' object cannot be interpreted|slice indices must be integers",
     "a size, a position or the border of a slice is a float: `/` makes one, `//` an integer"),
    (TypeError, "argument", "the parameters of the function are not those of the task, or a function was called with "
     "the wrong ones"),
    (Exception, "size of tensor|shapes cannot be multiplied|Expected size", "two shapes that do not fit: a transpose "
     "or a `keepdim=True` is missing, or names another dimension"),
    (Exception, "non-existing dimension", "-1 in `expand` keeps a dimension that is there, and this tensor has fewer "
     "dimensions"),
    (Exception, "expanded size", "two shapes that do not fit: `expand` lets a dimension of size 1 grow, and no other"),
    (Exception, "subscripts in the equation", "the equation names a fixed number of dimensions; `...` in it stands for "
     "any number of them"),
    (Exception, "Supports 1D|expected 1D|1D tensors|1-D", "a function that takes one vector is handed a tensor with "
     "more dimensions"),
    (Exception, "empty (iterable|sequence)|iterable argument is empty|non-empty (list|TensorList)", "nothing is left "
     "to put together in this situation, which has to be treated before it"),
    (Exception, "before Module.__init__", "`super().__init__()` is missing, or does not come first in `__init__`"),
    (Exception, "view size is not compatible", "`view` after a transpose: it cannot join dimensions whose numbers do "
     "not lie in this order in memory"),
    (Exception, "in-?place", "an operation that works in place on a tensor that the gradient needs"),
    (Exception, "NoneType", "something is None{where}: an argument that may be None, or what a function without "
     "`return` gives"),
    (AttributeError, "object has no attribute", "a name that is misspelt{where}, or an attribute that is set nowhere, "
     "or in a method that this call does not run"),
    (Exception, "to unpack", "the number of names on the left of `=`, or after `for`, is not that of the values"),
    (ZeroDivisionError, "", "a division by a number that is 0 in this situation, which has to be treated before it"),
    (IndexError, "Dimension out of range|tensor of dimension", "a dimension that this tensor does not have: summed "
     "away, indexed, or removed by a `squeeze()` without a number, which takes a batch of one, too"),
    (IndexError, "", "a dimension or a position that this tensor does not have"),
    (ValueError, "expected", "the library refuses what your code hands to it; the message says which argument"),
    (Exception, "", "what the message says{where}"),
]  # fmt: skip


def _likely_cause(error: Exception, where: str) -> str:
    """Say what an exception most often means; where: words for the line, if one is quoted."""
    fits = (words for kind, text, words in _CAUSES if isinstance(error, kind) and re.search(text, str(error), re.S))
    return next(fits).replace("{where}", where)
