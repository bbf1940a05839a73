"""Qin, by Reiner Knizia (2012)."""
