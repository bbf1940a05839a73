"""What every game shares: the words for rules, verdicts, seats and editions."""
