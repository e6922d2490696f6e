"""`python -m experiments.beams`."""

from experiments.beams.run import main

main()
