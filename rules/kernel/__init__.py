"""What all games share: rules, verdicts, seats, editions, notation and pictures. Knows no game."""
