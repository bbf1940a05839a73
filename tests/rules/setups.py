"""Random set-ups of matches, whatever the game."""

import random
from collections.abc import Mapping


def random_rulings(
    switches: Mapping[str, tuple[str, ...]],
    chance: random.Random,
    given: Mapping[str, str],
    *,
    all_default_in: int = 2,
) -> tuple[tuple[str, str], ...]:
    """The default of each ruling, once in so often, or each at random; except for those given.

    `switches` has the values of each ruling that a match may choose, the default first.
    """
    defaults = chance.randrange(all_default_in) == 0
    chosen = {
        name: given.get(name) or (offered[0] if defaults else chance.choice(offered))
        for name, offered in switches.items()
    }
    return tuple(sorted((name, value) for name, value in chosen.items() if value != switches[name][0]))
