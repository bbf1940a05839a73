"""Benchmarks, reported as ratios between contenders of one run.

Each module but the helpers has a function `lines(rounds)`, which measures one area. Start at __main__.py;
rounds.py measures contenders in alternation, report.py prints the figures, and qin_games.py, qin_records.py
and event_sourced.py prepare what is measured.
"""
