"""What pages run in a browser: scripts that check hashes and signatures, and the rules themselves.

Start at scripts.py, which has what a page loads, and judge.py, which runs in the browser.
"""
