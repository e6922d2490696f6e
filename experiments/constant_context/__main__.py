"""`python -m experiments.constant_context`."""

from experiments.constant_context.run import main

main()
