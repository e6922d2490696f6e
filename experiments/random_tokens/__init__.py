"""Chapter 06: what a model learns from tokens drawn at random."""
