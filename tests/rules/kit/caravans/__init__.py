"""A game of no publisher, for what Qin and Khan do not have: secret choices, hidden totals, an automaton.

Caravans leave for three years by routes that their owners choose in secret, and the guild builds the road.
Its questions come early and have few answers: the tests of sealed choices and the search for leaks try them
all in a few entries. test_laws_break.py breaks it law by law.
"""
