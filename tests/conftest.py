"""What all tests share: one thread per process, and the devices of this machine."""

import pytest
import torch

torch.set_num_threads(1)

# Answers of learners, right, wrong and hostile: the tests read them as files and run them where they can do no harm.
collect_ignore_glob = ["mutants/*", "grader/cases/*"]


def _devices() -> list[str]:
    devices = ["cpu"]
    if torch.cuda.is_available():
        devices.append("cuda")
    return devices


@pytest.fixture(params=_devices())
def device(request) -> torch.device:
    """Every device of this machine; a test that takes it runs once on each."""
    return torch.device(request.param)
