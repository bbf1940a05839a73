"""A small part of Zhanguo: its search for elixir inside an activation.

Kept beside the real game, because the plug-in of tests/project/test_plugins.py must be a game that Shiji does
not ship, and because tests/records/replay/test_decks.py names every card of its decks.
"""
