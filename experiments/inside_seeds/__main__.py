"""`python -m experiments.inside_seeds`."""

from experiments.inside_seeds.run import main

main()
