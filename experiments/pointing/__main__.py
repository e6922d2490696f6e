"""`python -m experiments.pointing`."""

from experiments.pointing.run import main

main()
