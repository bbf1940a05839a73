"""How hard Hypothesis tries: the same examples each time, or many new ones with HYPOTHESIS_PROFILE=long."""

import os

from hypothesis import HealthCheck, settings

_SLOW = (  # an example is often a whole match
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
)

settings.register_profile(
    "ci", deadline=None, derandomize=True, max_examples=30, print_blob=True, suppress_health_check=_SLOW
)
settings.register_profile(
    "long", deadline=None, max_examples=2_000, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
