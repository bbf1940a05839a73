"""Writes files atomically: a file exists in full or not at all."""

import os
from pathlib import Path

import click

from records.audit.sources import CannotRead
from tools.terminal.output import file_name
from tools.terminal.private_files import create_file
from tools.terminal.sources import read_bytes


def save_bytes(path: Path, data: bytes, *, durable: bool = False, private: bool = False) -> None:
    """Write or replace a file; with `durable` it survives a power failure once this returns.

    A `private` file, which may show hidden hands, is readable only by its owner from its first byte on.
    """
    unfinished = path.with_name(f"{path.name}.part")
    try:
        unfinished.unlink(missing_ok=True)  # one that is left over may have other rights
        with create_file(unfinished, private=private) as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
        if durable:
            _sync_folder(path.absolute().parent)
    except OSError as fault:
        raise click.ClickException(f"{file_name(str(path))} cannot be written: {fault.strerror}") from None


def make_folder(folder: str) -> Path:
    """The folder's path; the folder is created if it does not exist."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise click.ClickException(f"{file_name(folder)} cannot be created: {fault.strerror}") from None
    return path


def read_content(path: str) -> bytes:
    """Contents of a file, or of standard input for '-'; ends the command if it cannot be read."""
    try:
        return read_bytes(path)
    except CannotRead as fault:
        raise click.ClickException(f"{file_name(path)}: {fault}") from None


def _sync_folder(folder: Path) -> None:
    """Flush the folder: until then a power failure can lose the new file's name."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
