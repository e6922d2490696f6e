"""`python -m experiments.masked_language`."""

from experiments.masked_language.run import main

main()
