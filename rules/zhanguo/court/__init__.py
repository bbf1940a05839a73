"""The six Court actions, each with the free form that bonuses and rewards give."""
