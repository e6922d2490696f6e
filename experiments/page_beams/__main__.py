"""`python -m experiments.page_beams`."""

from experiments.page_beams.run import main

main()
