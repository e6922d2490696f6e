"""`python -m experiments.scaling`."""

from experiments.scaling.run import main

main()
