"""A game of no publisher whose matches end after three moves: one seat wins, all do, or nobody does.

It has two options and two editions with other numbers of seats. In the games of Shiji every such match takes
more than a hundred entries, and tests of records, pages and commands want each kind of them whole.
"""
