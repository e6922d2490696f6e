"""What the course's small models predict, asked of two published ones: SmolLM2 and MiniLM."""
