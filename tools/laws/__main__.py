"""Prints the digest of some matches of a game, which law 8 compares between processes."""

import sys

from records.games.registry import find_game
from tools.laws.court import court
from tools.laws.derived import derived_trial

print(court(derived_trial(find_game(sys.argv[1]))).digest())  # noqa: T201 - another process reads it
