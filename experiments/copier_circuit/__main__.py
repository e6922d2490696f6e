"""`python -m experiments.copier_circuit`."""

from experiments.copier_circuit.run import main

main()
