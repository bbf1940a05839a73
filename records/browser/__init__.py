"""What pages run in a browser: scripts that check hashes and signatures, and the rules themselves.

`files` and `scripts` are what pages load, the JavaScript checks integrity, and `judge` is Python that runs in
the browser, in Pyodide, on the rules of this build. May import audits and what is below them. Start at
scripts.py for what a page loads, and judge.py for what runs in the browser.
"""
