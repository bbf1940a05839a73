"""What all games share: rules, verdicts, seats, editions, notation and pictures.

`game` is what a game provides, `rule` and `setup` what it is stated in; `api` has the names that games of
other distributions may use. The rest is the kit that large games are built with (docs/kit.md). Imports no
game and nothing outside of `rules`. Start at game.py.
"""
