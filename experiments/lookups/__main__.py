"""`python -m experiments.lookups`."""

from experiments.lookups.run import main

main()
