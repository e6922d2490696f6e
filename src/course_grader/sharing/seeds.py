"""Notice when a test seeds torch, also with a seed that it used before; and seed what is there, without detours."""

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
        module.manual_seed = _counted(_seed(module.manual_seed))
        module.set_rng_state = _counted(module.set_rng_state)


def _seed(seed_all):
    """Seed the generator of the CPU alone where no GPU is in use: for each other device torch formats the stack."""

    @functools.wraps(seed_all)
    def manual_seed(seed):
        return seed_all(seed) if torch.cuda.is_initialized() else torch.default_generator.manual_seed(int(seed))

    return manual_seed


def _counted(function):
    @functools.wraps(function)
    def counted(*args, **kwargs):
        global _count
        _count += 1
        return function(*args, **kwargs)

    return counted
