"""The rules of the games, pure: no I/O, clock, chance, wire format or logging.

`kernel` has what all games share; every other folder is one game, which imports the kernel and no other
game. The records above know games only through `records.games.registry`. Start at kernel/game.py, which
says what a game provides, then at qin/game.py.
"""
