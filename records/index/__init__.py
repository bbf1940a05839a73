"""The index of an archive: what its matches are and how they stand, for lists and searches.

It is derived from the archive, in a file of its own, and can be dropped at any time. It is never evidence.
"""
