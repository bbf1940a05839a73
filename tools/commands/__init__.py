"""The subcommands of `shiji`, one module per subcommand."""
