"""`python -m experiments.longer`."""

from experiments.longer.run import main

main()
