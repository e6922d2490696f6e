"""`python -m experiments.modern_translators`."""

from experiments.modern_translators.run import main

main()
