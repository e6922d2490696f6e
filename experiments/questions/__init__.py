"""Questions about the built-in scenes, and matching, for chapter 16."""
