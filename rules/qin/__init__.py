"""Qin, by Reiner Knizia (2012): its values, its rulebook, and the functions that judge and fold its moves.

`decide` judges a move with the tests in `checks`, `resolve` and `growth` say what a legal placement causes,
`evolve` folds events. `notation`, `position` and `position_reader` are its text, `terminal_board` and `svg`
its pictures. Imports the kernel only. What judges every move is compiled (CONTRIBUTING.md). Start at game.py,
then decide.py.
"""
