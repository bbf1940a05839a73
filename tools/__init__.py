"""The `shiji` command, the Python client of the service, and the tools for work on the project.

Tools may import every other layer; no layer imports them. Start at cli.py for the command, and at
client/ for the client.
"""
