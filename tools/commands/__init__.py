"""The subcommands of `shiji`, one module per subcommand.

Each module defines a click command called `command`, which tools/cli.py lists and imports when it runs. A
subcommand may import tools.report, tools.terminal, shiji.client and the layers below; serve, token and
doctor alone import the service. Start at verify.py, a typical one.
"""
