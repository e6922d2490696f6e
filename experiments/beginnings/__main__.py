"""`python -m experiments.beginnings`."""

from experiments.beginnings.run import main

main()
