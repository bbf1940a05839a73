"""The Python of a page for users, run as they would run it."""

import re
import subprocess
import sys

HERE = "127.0.0.1:50051"
"""Where pages have their server."""


def printed_by(page: str, address: str) -> list[str]:
    """What the Python blocks of a page print, one after the other, with a server at this address."""
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    program = "\n".join(blocks).replace(HERE, address)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
