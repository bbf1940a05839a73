"""Runs the Python examples of a page for users."""

import re
import subprocess
import sys

HERE = "127.0.0.1:50051"
"""Address of the server in the examples."""


def printed_by(page: str, address: str) -> list[str]:
    """Lines printed by the Python blocks of a page, run as one program with a server at this address."""
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    program = "\n".join(blocks).replace(HERE, address)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
