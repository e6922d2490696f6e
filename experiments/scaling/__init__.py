"""How the loss falls with the length of training."""
