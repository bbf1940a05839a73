"""What can be pending, one file per kind of question; the Court actions are in rules.zhanguo.court.

Each file states who is awaited, which moves the question takes, their checks and what they cause; the agenda
lists them. Start at playing.py, the turn of a seat.
"""
