"""`python -m experiments.sorters`."""

from experiments.sorters.run import main

main()
