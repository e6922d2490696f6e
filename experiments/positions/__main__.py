"""`python -m experiments.positions`."""

from experiments.positions.run import main

main()
