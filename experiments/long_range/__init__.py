"""What attention loses that sees less or keeps less, at equal CPU time."""
