"""The games that this build knows, with their types closed over. Start at registry.py."""
