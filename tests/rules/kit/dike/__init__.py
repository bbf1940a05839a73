"""A game of no publisher, for what Qin and Khan do not have: one seat, a common enemy, two editions."""
