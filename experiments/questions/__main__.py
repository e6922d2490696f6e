"""`python -m experiments.questions`."""

from experiments.questions.run import main

main()
