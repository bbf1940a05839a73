"""Li Si, the automaton of a solo match (ZHG-SOL).

He is no seat that moves: when his turn comes, what his card asks for is worked out here and becomes events.
Start at turn.py, which reveals the card and leads to the other modules.
"""
