"""Intervals between a few seeds, against printed tables and a case that can be done by hand."""

import math

import pytest

from drawings.intervals import t_quantile, welch


@pytest.mark.parametrize(
    ("probability", "degrees", "printed"),
    [(0.975, 1, 12.706), (0.995, 2, 9.925), (0.975, 5, 2.571), (0.95, 10, 1.812), (0.975, 30, 2.042)],
)
def test_quantiles_are_those_of_printed_tables(probability, degrees, printed):
    assert math.isclose(t_quantile(probability, degrees), printed, rel_tol=5e-4)


def test_equal_variances_give_the_interval_of_student():
    # Both rows have variance 1 and three runs: the variance of the difference is 2/3, with 4 degrees of freedom.
    difference, low, high = welch([1.0, 2.0, 3.0], [11.0, 12.0, 13.0])
    half = 2.776 * math.sqrt(2 / 3)
    assert math.isclose(difference, -10)
    assert math.isclose(low, -10 - half, rel_tol=1e-3)
    assert math.isclose(high, -10 + half, rel_tol=1e-3)


def test_unequal_variances_take_degrees_from_the_wider_row():
    # Welch: (8/2 + 0.02/2)^2 / ((8/2)^2 / 1 + (0.02/2)^2 / 1) is nearly 1, and the quantile 12.7.
    _, low, high = welch([0.0, 4.0], [1.0, 1.2])
    assert math.isclose((high - low) / 2, 12.706 * math.sqrt(4.01), rel_tol=0.02)


def test_a_smaller_error_takes_a_wider_interval():
    _, low, high = welch([1.0, 2.0, 4.0], [1.5, 2.5])
    _, wide_low, wide_high = welch([1.0, 2.0, 4.0], [1.5, 2.5], error=0.01)
    assert wide_low < low < high < wide_high
