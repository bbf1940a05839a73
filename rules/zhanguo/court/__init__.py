"""The six Court actions, each with the free form that bonuses and rewards give.

One module per action: its checks and what it causes. May import everything in the game but `tasks`, `agenda`
and `game`. Start at hire.py, the shortest.
"""
