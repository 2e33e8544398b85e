"""What other programs read: a world as a POMDP file, and what a certificate proves as SMT-LIB 2 scripts."""
