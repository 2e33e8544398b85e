"""Has the paper's three experiments, declared as data and run under a certificate of their class."""
