"""The records of matches: how they are written, judged, kept and read."""
