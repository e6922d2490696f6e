"""`python -m experiments.page_translator`."""

from experiments.page_translator.run import main

main()
