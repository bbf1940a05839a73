"""Shiji's client and the messages that it exchanges with a server.

The client is imported when one of its names is first used, so that the messages can be had without gRPC.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shiji.client import *  # noqa: F403 - the client is the surface of this package
    from shiji.client import __all__ as __all__
else:  # a type checker would take every name for granted

    def __getattr__(name: str) -> object:
        """A name of the client; AttributeError if it has none such."""
        if name == "__all__" or not name.startswith("__"):
            client = import_module("shiji.client")
            if name == "__all__" or name in client.__all__:
                return getattr(client, name)
        raise AttributeError(f"shiji has no {name!r}: see docs/client.md for what it has")
