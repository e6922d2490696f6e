"""What weight decay brings."""
