"""How evidence is found for each claim, finite and interval classes under one name."""
