"""`python -m experiments.induction`."""

from experiments.induction.run import main

main()
