"""`python -m experiments.language`."""

from experiments.language.run import main

main()
