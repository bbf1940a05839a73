"""The Great Wall: competitive, solo against Qin Jiushao, with the Reed Clan, and co-operative.

`moves`, `events` and `pending` are its values by area, `tasks` judges the moves, `folds` (through `evolve`)
applies the events; `operations` is the vocabulary of cards and `effects` their one interpreter; `qin` acts
for the automaton. Imports the kernel only. Start at game.py, then agenda.py.
"""
