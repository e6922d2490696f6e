"""`python -m experiments.speculative`."""

from experiments.speculative.run import main

main()
