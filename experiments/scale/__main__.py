"""`python -m experiments.scale`."""

from experiments.scale.run import main

main()
