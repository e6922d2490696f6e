"""See what torch does while somebody's code runs: which functions are called (``calls``), how much memory (``memory``).

The checks watch with it in Jupyter, the grader in its sandbox. It knows neither, and nothing of the course.
"""
