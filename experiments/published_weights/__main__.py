"""`python -m experiments.published_weights`."""

from experiments.published_weights.run import main

main()
