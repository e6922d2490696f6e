"""`python -m experiments.recipe`."""

from experiments.recipe.run import main

main()
