"""The former name of `shiji.client`, for programs that use it; new ones import from `shiji`."""

from shiji.client import *  # noqa: F403 - exactly its names
from shiji.client import __all__ as __all__
