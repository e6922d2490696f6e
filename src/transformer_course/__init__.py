"""Attention, from RNN to Transformer: the reference implementation of every unit of the course.

One module per unit, named like the unit without its number; a unit imports only lower units. `common` holds
what all units need and none teaches.
"""
