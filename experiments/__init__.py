"""What takes longer than the build of the book allows: scripts whose small result files the chapters read.

Each script is resumable: a run that is in the result file already is not repeated. `make experiments` runs them all.
"""
