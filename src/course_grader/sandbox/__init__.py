"""Where a student's code runs: a bubblewrap sandbox whose process has torch loaded and forks once per submission."""
