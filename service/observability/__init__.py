"""What operators see of a server: logs, metrics, traces. Start at observer.py."""
