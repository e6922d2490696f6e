"""`python -m experiments.long_range`."""

from experiments.long_range.run import main

main()
