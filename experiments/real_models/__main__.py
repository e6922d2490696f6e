"""`python -m experiments.real_models`."""

import sys

from experiments.real_models.run import main

main(sys.argv[1:])
