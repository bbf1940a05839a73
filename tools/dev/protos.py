"""Generates the Python code of protos/, beside the .proto files."""

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

Code: TypeAlias = Mapping[Path, bytes]
"""Generated files, by their path below the source root."""


class BadProto(ValueError):
    """The compiler does not accept a .proto file."""


def generated(sources: Path) -> Code:
    """What the .proto files below the folder generate: gRPC code only for files with a service."""
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
    """The generated files that lie below the folder."""
    return {
        path.relative_to(root): path.read_bytes()
        for path in sorted(root.rglob("*_pb2*.py*"))
        if path.suffix in {".py", ".pyi"}
    }


def drift(have: Code, want: Code) -> tuple[str, ...]:
    """Each generated file that is not as it should be, and why."""
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
    """Make the generated files below the folder what they should be."""
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
    """Generate the Python code of protos/ beside the .proto files."""
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
