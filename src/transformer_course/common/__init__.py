"""What all units need and none teaches."""
