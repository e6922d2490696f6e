"""The two forms of a message between tests and student: a request and its reply. What stands in them is encoded."""

from dataclasses import dataclass, field, fields


class _Form:
    def plain(self) -> dict:
        """Return what is to be sent; what is None is left out."""
        found = {name: value for name, value in vars(self).items() if value is not None}
        return {name: value.plain() if isinstance(value, _Form) else value for name, value in found.items()}

    @classmethod
    def parse(cls, data: object):
        """Return the form of what came. Nothing in it is trusted: any value may be of any type."""
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known} if type(data) is dict else {})


@dataclass
class Context(_Form):
    """The tests' settings that a function of the student should see; nothing travels the other way.

    Args:
        grad: whether autograd records.
        sizes: whether the tests watch how large tensors get.
        memory: whether they watch how much memory a call takes.
        dtype: the default dtype.
        rng: where the state of the random generator is, if it was set.
    """

    grad: bool = True
    sizes: bool = False
    memory: bool = False
    dtype: str | None = None
    rng: object = None


@dataclass
class Request(_Form):
    """One request.

    Args:
        op: call, get, set, special, copy, backward, or an operation that the other side offers.
        target: the object that it is about.
        name: of an attribute or operator.
        graph: the number of a graph, for a backward pass.
        keep: whether that graph is kept.
        args: encoded arguments.
        kwargs: name and encoded value of each.
        context: the tests' settings.
        sync: what changed in shared modules.
        dropped: what is no longer used.
    """

    op: str = ""
    target: str | None = None
    name: str | None = None
    graph: int | None = None
    keep: bool = False
    args: list = field(default_factory=list)
    kwargs: list = field(default_factory=list)
    context: Context = field(default_factory=Context)
    sync: dict = field(default_factory=dict)
    dropped: list = field(default_factory=list)


@dataclass
class Reply(_Form):
    """The reply to a request.

    Args:
        op: that it is a reply.
        value: the encoded result.
        error: the exception in its place.
        changes: what the call changed in place.
        outputs: tensors of the result that belong to a graph.
        leaves: what that graph depends on.
        graph: its number.
        printed: what was printed.
        uses: named functions that were called.
        largest: how many numbers the largest tensor held.
        memory: bytes, if they were watched: of the peak, of what lives on, of the largest tensor, and of all together.
        sync: what changed in shared modules.
        dropped: what is no longer used.
    """

    op: str = "reply"
    value: object = None
    error: dict | None = None
    changes: list | None = None
    outputs: list | None = None
    leaves: list | None = None
    graph: int | None = None
    printed: list | None = None
    uses: list | None = None
    largest: int | None = None
    memory: list | None = None
    sync: dict = field(default_factory=dict)
    dropped: list = field(default_factory=list)
