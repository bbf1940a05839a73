from pathlib import Path

from tools.dev import protos

NAME = Path("shiji/toy/v1/toy_pb2.py")


def test_generated_code_is_what_the_protos_generate() -> None:
    have, want = protos.committed(protos.SOURCES), protos.generated(protos.SOURCES)

    assert protos.drift(have, want) == ()


def test_grpc_code_is_generated_only_for_a_file_with_a_service(tmp_path: Path) -> None:
    folder = tmp_path / "shiji/toy/v1"
    folder.mkdir(parents=True)
    (folder / "toy.proto").write_text('syntax = "proto3"; package shiji.toy.v1; message Toy {}')
    (folder / "toy_service.proto").write_text(
        'syntax = "proto3"; package shiji.toy.v1; import "shiji/toy/v1/toy.proto";'
        "service ToyService { rpc Play(Toy) returns (Toy); }"
    )

    code = protos.generated(tmp_path)

    assert sorted(path.name for path in code) == [
        "toy_pb2.py",
        "toy_pb2.pyi",
        "toy_service_pb2.py",
        "toy_service_pb2.pyi",
        "toy_service_pb2_grpc.py",
        "toy_service_pb2_grpc.pyi",
    ]


def test_a_file_that_was_never_generated_is_drift() -> None:
    assert protos.drift({}, {NAME: b"new"}) == (f"{NAME} is missing",)


def test_a_file_that_was_edited_is_drift() -> None:
    assert protos.drift({NAME: b"old"}, {NAME: b"new"}) == (
        f"{NAME} differs from what its .proto file generates",
    )


def test_a_file_whose_proto_is_gone_is_drift_and_is_removed(tmp_path: Path) -> None:
    (tmp_path / NAME.name).write_bytes(b"old")
    have = protos.committed(tmp_path)

    protos.write(tmp_path, have, {})

    assert protos.drift(have, {}) == (f"{NAME.name} has no .proto file",)
    assert protos.committed(tmp_path) == {}
