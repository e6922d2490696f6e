"""`python -m experiments.copier_weights`."""

from experiments.copier_weights.run import main

main()
