"""`python -m experiments.looks`."""

from experiments.looks.run import main

main()
