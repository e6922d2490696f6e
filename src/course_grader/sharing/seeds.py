"""Notice when a test seeds torch, also with a seed that it used before."""

import functools

import torch

_count = 0


def seedings() -> int:
    """Return how often torch's default generator was set since :func:`watch_seeding`."""
    return _count


@functools.cache
def watch_seeding() -> None:
    """Count calls that set the default generator, from now on."""
    for module in (torch, torch.random):
        for name in ("manual_seed", "set_rng_state"):
            setattr(module, name, _counted(getattr(module, name)))


def _counted(function):
    @functools.wraps(function)
    def counted(*args, **kwargs):
        global _count
        _count += 1
        return function(*args, **kwargs)

    return counted
