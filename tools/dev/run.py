"""`make run`: starts the server at once, and compiles the rules in the background for the next start."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

from tools.dev import compiling
from tools.dev.install import install

_NICENESS: Final = 15
"""Priority of the compiler, below that of the server."""

_LOOK_SECONDS: Final = 1.0
"""Time between two looks whether the server still runs: the compiler ends with it."""


def main() -> None:
    """Start the server with compiled rules if there are any, and otherwise with plain ones."""
    if compiling.ready():
        print("Starting the server.", flush=True)  # noqa: T201 - a command of the Makefile
    else:
        print(  # noqa: T201 - as above
            "Starting the server on plain rules; faster ones are compiled meanwhile, for the next start.",
            flush=True,
        )
        command = [sys.executable, "-m", "tools.dev.run", "compile", str(os.getpid())]
        subprocess.Popen(command, start_new_session=True)
    shiji = Path(sys.executable).parent / "shiji"
    os.execv(shiji, [str(shiji), "serve"])  # noqa: S606 - the server of this environment


def compile_in_background(server: int) -> None:
    """Compile at low priority for as long as the server with this process id runs."""
    os.nice(_NICENESS)
    threading.Thread(target=_end_with, args=(server,), daemon=True).start()
    with Path(compiling.ROOT, ".venv/compile.log").open("w", encoding="utf-8") as log:
        shown = os.dup(1)
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        install(["compile"])
        compiled = compiling.compile_for_later()
    message = (
        "The rules are compiled: stop the server and `make run` again for a faster one.\n"
        if compiled
        else "The rules could not be compiled, and run as plain Python: slower, and otherwise the same. "
        "See .venv/compile.log.\n"
    )
    os.write(shown, message.encode())


def _end_with(server: int) -> None:
    while True:
        time.sleep(_LOOK_SECONDS)
        try:
            os.kill(server, 0)
        except ProcessLookupError:
            os._exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compile"]:
        compile_in_background(int(sys.argv[2]))
    else:
        main()
