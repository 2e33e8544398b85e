"""Float answer in, exact evidence out."""
