"""The `shiji` command, and the tools for work on the project.

Tools may import every other layer; no layer imports them. Start at cli.py. client/ is the
former name of the Python client, which is the package `shiji` (docs/client.md).
"""
