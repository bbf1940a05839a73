"""The `shiji` command, a module a subcommand."""
