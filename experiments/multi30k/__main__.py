"""`python -m experiments.multi30k`."""

from experiments.multi30k.run import main

main()
