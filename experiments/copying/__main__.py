"""`python -m experiments.copying`."""

from experiments.copying.run import main

main()
