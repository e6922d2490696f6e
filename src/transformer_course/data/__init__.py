"""What the models learn from: a built-in language, toy tasks, and readers for real parallel text."""
