"""The rules of the games, pure: no I/O, clock, chance, wire format or logging."""
