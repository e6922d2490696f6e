"""`python -m experiments.judges`."""

from experiments.judges.run import main

main()
