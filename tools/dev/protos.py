"""Generates the Python code of the .proto files, in the same folders."""

import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import click
from google.protobuf.descriptor_pb2 import FileDescriptorSet

SOURCES = Path(__file__).resolve().parents[2] / "protos"
"""Folder of the .proto files and their generated code."""

Code: TypeAlias = Mapping[Path, bytes]
"""Contents of generated files, by their paths relative to the folder."""


class BadProto(ValueError):
    """The compiler rejects a .proto file."""


def generated(sources: Path) -> Code:
    """Generate the code of the .proto files in a folder; gRPC code only for files with a service."""
    protos = sorted(path.relative_to(sources).as_posix() for path in sources.rglob("*.proto"))
    if not protos:
        return {}
    with tempfile.TemporaryDirectory() as scratch:
        described = Path(scratch, "descriptors")
        _protoc(sources, protos, f"--descriptor_set_out={described}")
        files = FileDescriptorSet.FromString(described.read_bytes()).file
        serving = [file.name for file in files if file.service]

        out = Path(scratch, "code")
        out.mkdir()
        _protoc(sources, protos, f"--python_out={out}", f"--mypy_out={out}")
        if serving:
            _protoc(sources, serving, f"--grpc_python_out={out}", f"--mypy_grpc_out={out}")
        return committed(out)


def committed(root: Path) -> Code:
    """The generated files that are in a folder."""
    return {
        path.relative_to(root): path.read_bytes()
        for path in sorted(root.rglob("*_pb2*.py*"))
        if path.suffix in {".py", ".pyi"}
    }


def drift(have: Code, want: Code) -> tuple[str, ...]:
    """The generated files that differ from the expected ones, and how."""
    return (
        *(f"{path} is missing" for path in want if path not in have),
        *(
            f"{path} differs from what its .proto file generates"
            for path in want
            if path in have and have[path] != want[path]
        ),
        *(f"{path} has no .proto file" for path in have if path not in want),
    )


def write(root: Path, have: Code, want: Code) -> None:
    """Replace the generated files in a folder by the expected ones."""
    for path in have:
        if path not in want:
            (root / path).unlink()
    for path, text in want.items():
        (root / path).write_bytes(text)


def _protoc(sources: Path, protos: Sequence[str], *outputs: str) -> None:
    scripts = Path(sysconfig.get_path("scripts"))
    plugins = (f"--plugin={scripts / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc"))
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{sources}", *plugins, *outputs, *protos]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BadProto(done.stderr.strip())


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail if the code is not what would be generated.")
def main(*, check: bool) -> None:
    """Generate the Python code of the .proto files in protos/."""
    try:
        want = generated(SOURCES)
    except BadProto as fault:
        raise click.ClickException(str(fault)) from fault
    have = committed(SOURCES)
    found = drift(have, want)
    if not check:
        write(SOURCES, have, want)
        click.echo(f"{len(want)} generated files in protos/, {len(found)} of them changed.")
    elif found:
        raise click.ClickException("\n".join((*found, "Run `make protos` and commit what it writes.")))
    else:
        click.echo(f"{len(want)} generated files in protos/ are what their .proto files generate.")


if __name__ == "__main__":
    main()
