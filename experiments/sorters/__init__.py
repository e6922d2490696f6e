"""Small stacks that learn to sort, for chapter 09."""
