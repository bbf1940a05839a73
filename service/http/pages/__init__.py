"""The pages of the HTTP port, rendered on the server; each has a twin in JSON.

One `*_view.py` per page says what is on it, `templates/` how it looks, and `static/` is what a browser runs.
What a page shows comes from the ledger and the index, as the viewer may see it. Start at site.py, which says
which page is at which address.
"""
