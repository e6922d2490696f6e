"""`python -m experiments.weights`."""

import sys

from experiments.weights.run import main

main(sys.argv[1:])
