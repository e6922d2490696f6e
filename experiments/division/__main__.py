"""`python -m experiments.division`."""

from experiments.division.run import main

main()
