"""Khan, by Christwart Conrad (2010)."""
