"""`python -m experiments.one_vector`."""

from experiments.one_vector.run import main

main()
