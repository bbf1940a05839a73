"""Li Si, the automaton of a solo match (ZHG-SOL)."""
