"""`shiji serve`: starts the gRPC server."""

from service.__main__ import command

__all__ = ["command"]
