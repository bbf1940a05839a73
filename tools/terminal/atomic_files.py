"""Files that are there whole or not at all."""

import os
from pathlib import Path

import click

from tools.terminal.output import file_name
from tools.terminal.sources import CannotRead, read_bytes


def save(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file, in place of one that is there; a durable one survives loss of power from then on."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
        if durable:
            _sync_folder(path.absolute().parent)
    except OSError as fault:
        raise click.ClickException(f"{file_name(str(path))} cannot be written: {fault.strerror}") from None


def made(folder: str) -> Path:
    """The folder, made if there is none."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise click.ClickException(f"{file_name(folder)} cannot be made: {fault.strerror}") from None
    return path


def content(path: str) -> bytes:
    """What a file, or standard input for '-', has; one that cannot be read ends the command."""
    try:
        return read_bytes(path)
    except CannotRead as fault:
        raise click.ClickException(f"{file_name(path)}: {fault}") from None


def _sync_folder(folder: Path) -> None:
    """A new name is durable only once its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
