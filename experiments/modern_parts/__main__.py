"""`python -m experiments.modern_parts`."""

from experiments.modern_parts.run import main

main()
