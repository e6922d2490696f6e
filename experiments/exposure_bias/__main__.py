"""`python -m experiments.exposure_bias`."""

from experiments.exposure_bias.run import main

main()
