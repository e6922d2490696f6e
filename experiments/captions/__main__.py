"""`python -m experiments.captions`."""

from experiments.captions.run import main

main()
