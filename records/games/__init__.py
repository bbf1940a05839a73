"""The games that this build knows, and their states, behind types that are the same for every game.

`registry` lists the games; `bound` is a game with its codec, `state` one state of a match, which can be
judged, folded, viewed and written; `candidate` is a move that is to be judged. Imports the rules and the
codecs, never a log or a file. Start at registry.py, then state.py.
"""
