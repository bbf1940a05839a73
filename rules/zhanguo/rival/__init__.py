"""Li Si, the automaton of a solo match (ZHG-SOL).

Li Si makes no moves of its own: in its turn, what its card asks for is worked out here and becomes events.
Start at turn.py, which reveals the card and leads to the other modules.
"""
