"""The former name of `shiji.client.errors`."""

from shiji.client.errors import *  # noqa: F403 - exactly its names
