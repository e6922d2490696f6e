"""`python -m experiments.broken_runs`."""

from experiments.broken_runs.run import main

main()
