"""Digits, and what a Vision Transformer knows of space."""
