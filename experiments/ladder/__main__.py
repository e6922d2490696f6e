"""`python -m experiments.ladder`."""

from experiments.ladder.run import main

main()
