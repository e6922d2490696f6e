"""Records gradients."""

SAYS = "gradients were recorded"
CHANGES = [("with torch.no_grad():", "with torch.enable_grad():")]
