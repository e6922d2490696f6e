"""`python -m experiments.weight_decay`."""

from experiments.weight_decay.run import main

main()
