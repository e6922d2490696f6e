"""The checks of the exercises: one module per unit, whose functions take what the learner wrote.

A check calls the learner's code with tensors, numbers, plain containers or None, and looks at nothing but what comes
back: its type, its values, its gradients. Its oracle is torch, never the library's own reference.
"""

from transformer_course.units import SLUGS as UNITS

__all__ = ["UNITS"]
