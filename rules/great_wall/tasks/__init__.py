"""The questions and automatic tasks of the game, one module per family.

Each states who is awaited, which moves it takes, their checks and what they cause; `rules.great_wall.agenda`
puts them together. Start at common.py, then at year.py, which leads through the seasons.
"""
