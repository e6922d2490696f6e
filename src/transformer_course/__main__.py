"""`python -m transformer_course`: train, translate, evaluate, caption."""

import sys

from transformer_course.training.cli import main

sys.exit(main())
