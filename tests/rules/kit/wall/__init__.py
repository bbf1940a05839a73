"""A small part of The Great Wall: sealed picks with a tactic window and an automaton.

Kept beside the real game, because its sealed questions come early and have few answers: the tests of sealed
choices and the search for leaks try them all in a few entries. test_laws_break.py breaks it law by law.
"""
