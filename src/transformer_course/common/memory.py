"""How much memory tensors take: ``Memory`` of ``torch_watching``, which the grader counts with as well."""

from torch_watching.memory import Memory

__all__ = ["Memory"]
