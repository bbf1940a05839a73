"""Zhanguo: The First Empire, by Marco Canetta and Stefania Niccolini.

`agenda` puts together the questions of `tasks`, the Court actions of `court` and Li Si's turns in `rival`;
`resolve` interprets what cards, tiles and rewards do, which `effects` states as data; `evolve` folds events.
Imports the kernel only. Start at game.py, then agenda.py.
"""
