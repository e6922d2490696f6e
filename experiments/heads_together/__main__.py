"""`python -m experiments.heads_together`."""

from experiments.heads_together.run import main

main()
