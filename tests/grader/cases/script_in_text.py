"""Puts a script into its written answer and into its output."""

ANSWERS = {
    "why": "<script>alert('mine')</script><img src=x onerror=alert(1)>",
}
FIRST_CELL = """\
class Page:
    def _repr_html_(self):
        return "<script>alert('mine')</script>"
    def __repr__(self):
        return "<script>alert('mine')</script>"
print("<script>alert('mine')</script>")
Page()
"""
SCORE = 10.0
STATUS = "graded"
