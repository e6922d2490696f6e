"""Sets manual scores in the database."""

ANSWERS = {
    "double": """\
import glob, sqlite3
def double(x):
    (path,) = [each for up in range(9) for each in glob.glob("../" * up + "gradebook.db")]
    connection = sqlite3.connect(path)
    connection.execute("UPDATE grade SET manual_score = 5")
    connection.commit()
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "not enough values"
