"""From a state and an event to the next state, by area. Judges nothing.

One function per class of events; `evolve` puts them together. Imports the values of the game and no task.
Start at change.py, with the small changes that several events share.
"""
