"""Khan, by Christwart Conrad (2010): its values, its rulebook, and the tasks of a turn.

`tasks` says who is awaited in each step, which moves it takes and what they cause; `checks` and
`special_checks` are the tests, `conquest` says who may conquer what, `evolve` folds events. `components`
reads component sets. Imports the kernel only. Start at game.py, then agenda.py and tasks.py.
"""
