"""Language models of Shakespeare on one clock."""
