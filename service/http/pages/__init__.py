"""The pages of the HTTP port, rendered on the server; each has a twin in JSON."""
