"""What takes longer than the build of the book allows, and what only one chapter needs: a folder each.

A folder holds the script `run.py`, which `python -m experiments.NAME` starts, the models that it trains, its tests, and
`results.json`, which a chapter reads. Each script is resumable: a run that is in the file already is not repeated.
`python -m experiments`, or `make experiments`, runs them all.
"""
