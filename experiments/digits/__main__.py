"""`python -m experiments.digits`."""

from experiments.digits.run import main

main()
