"""Several servers on one archive in PostgreSQL."""
