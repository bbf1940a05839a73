"""Paths of the project and its command."""

import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SHIJI = Path(sysconfig.get_path("scripts"), "shiji")
