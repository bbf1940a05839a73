"""What every game must satisfy, whatever it is about: the laws of the architecture, by their numbers.

A game comes to them as a Trial: the game with what its laws are tried on. `shiji check-game` derives one
from what a game states; the tests of Shiji's own games write theirs by hand. Imports rules, records and no
command. Start at trial.py, then running.py, which tries all laws.
"""
