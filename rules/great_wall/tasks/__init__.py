"""The questions and automatic tasks of the game, one module per family."""
