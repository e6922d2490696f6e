"""Attention, from RNN to Transformer: the reference implementation of every unit of the course.

One module per unit, named like the unit without its number; a unit imports only lower units. `common` holds
what all units need and none teaches.

Every function raises ``ValueError`` where shapes or dtypes do not fit each other, or a number is outside the range that
its description gives: the message names the argument, what was expected and what came. A section ``Raises:`` stands
only where something else is refused.
"""
