"""How hard Hypothesis tries, and which form of compiled modules is tested.

HYPOTHESIS_PROFILE=long tries many new examples, not the same few each time. SHIJI_UNCOMPILED=1 runs the
sources of modules that are compiled.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.project import uncompiled
from tools.dev.compiling import outdated

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

if uncompiled.REQUESTED:
    uncompiled.run_sources()
elif outdated():
    raise pytest.UsageError(
        "Qin's rules have changed since they were compiled: `make compile` compiles them anew,"
        " `make uncompile` removes what was compiled"
    )
