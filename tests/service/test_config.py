"""Where the server's options come from."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.address import Address
from service.config import DEFAULT, OPTIONS, BadConfig, Config, Configured
from tests.service.servers import SERVE, serving
from tests.service.tokens import new_token


def written(folder: Path, text: str) -> dict[str, object]:
    """Writes a configuration file; returns the flag that names it."""
    file = folder / "shiji.toml"
    file.write_text(text, "utf-8")
    return {"config": str(file)}


def test_without_any_option_the_defaults_apply() -> None:
    configured = Configured.gather({}, {})

    assert configured.config == Config()
    assert set(configured.sources.values()) == {DEFAULT}


@given(st.sets(st.sampled_from(["flag", "environment", "file"])))
def test_a_flag_takes_precedence_over_the_environment_and_that_over_the_file(
    tmp_path_factory: pytest.TempPathFactory, sources: set[str]
) -> None:
    folder = tmp_path_factory.mktemp("config")
    flags = written(folder, "max-calls = 3001" if "file" in sources else "")
    flags["max-calls"] = "3003" if "flag" in sources else None
    environment = {"SHIJI_MAX_CALLS": "3002"} if "environment" in sources else {}

    configured = Configured.gather(flags, environment)

    expected = {
        "flag": (3003, "--max-calls"),
        "environment": (3002, "SHIJI_MAX_CALLS in the environment"),
        "file": (3001, f"max-calls in {folder / 'shiji.toml'}"),
    }
    first = next((source for source in expected if source in sources), None)
    assert (configured.config.max_calls, configured.sources["max-calls"]) == (
        expected[first] if first else (Config().max_calls, DEFAULT)
    )


def test_an_empty_variable_is_ignored() -> None:
    assert Configured.gather({}, {"SHIJI_LISTEN": ""}).config.listen == Config().listen


def test_every_kind_of_value_can_be_given_in_the_file(tmp_path: Path) -> None:
    text = """
    db = "a.db"
    listen = "[::1]:7"
    insecure = true
    drain-grace = 2
    log-format = "json"
    otlp-endpoint = "http://collector:4317"
    """

    config = Configured.gather(written(tmp_path, text), {}).config

    assert config.listen == Address("::1", 7)
    assert (config.insecure, config.drain_grace, config.log_format) == (True, 2.0, "json")
    assert config.otlp_endpoint == "http://collector:4317"


def test_every_kind_of_value_can_be_given_in_the_environment() -> None:
    environment = {
        "SHIJI_DB": "a.db",
        "SHIJI_METRICS_LISTEN": "h:9",
        "SHIJI_INSECURE": "true",
        "SHIJI_KEEPALIVE": "1.5",
        "SHIJI_LOG_LEVEL": "debug",
    }

    config = Configured.gather({}, environment).config

    assert (config.db, config.metrics_listen) == (Path("a.db"), Address("h", 9))
    assert (config.insecure, config.keepalive, config.log_level) == (True, 1.5, "debug")


def test_paths_in_the_file_are_relative_to_its_folder(tmp_path: Path) -> None:
    flags = {**written(tmp_path, 'db = "a.db"\nsecret-file = "/etc/s"'), "tokens": "t"}

    config = Configured.gather(flags, {}).config

    assert (config.db, config.secret, config.tokens) == (tmp_path / "a.db", Path("/etc/s"), Path("t"))


def test_the_secret_is_next_to_the_archive_by_default() -> None:
    assert Configured.gather({"db": "x/a.db"}, {}).config.secret == Path("x/a.db.secret")


def test_the_file_can_be_named_in_the_environment(tmp_path: Path) -> None:
    file = str(written(tmp_path, "max-calls = 5000")["config"])

    assert Configured.gather({}, {"SHIJI_CONFIG": file}).config.max_calls == 5000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max-cals = 1", "has 'max-cals', which is not an option: did you mean max-calls?"),
        ("zzz = 1", "has 'zzz', which is not an option: `shiji serve --help` lists the options"),
        ('config = "other.toml"', "has 'config', which is not an option"),
        ("[limits]\nmax-calls = 1", "has 'limits', which is not an option"),
        ("max-calls = 0", "max-calls in FILE takes NUMBER: Expected `int` >= 1"),
        ('max-calls = "9"', "max-calls in FILE takes NUMBER: Expected `int`, got `str`"),
        ("db = 3", "db in FILE takes FILE: Expected `str`, got `int`"),
        ('listen = "here"', "listen in FILE takes HOST:PORT: 'here' is not HOST:PORT"),
        ('log-format = "xml"', "log-format in FILE takes text|json: Invalid enum value 'xml'"),
        ('insecure = "yes"', "insecure in FILE takes true or false: Expected `bool`, got `str`"),
        ("max-calls", "FILE is not valid TOML: Expected '='"),
        ("a." * 50_000 + "a = 1", "FILE is not valid TOML: line 1: a key has more than 20 parts"),
    ],
)
def test_an_error_in_the_file_names_the_option_and_the_file(tmp_path: Path, text: str, message: str) -> None:
    flags = written(tmp_path, text)

    with pytest.raises(BadConfig) as raised:
        Configured.gather(flags, {})

    assert message.replace("FILE", str(flags["config"]), 1) in str(raised.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"cannot read the configuration .*nowhere: No such file"):
        Configured.gather({"config": str(tmp_path / "nowhere")}, {})


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"tls-cert": "c"}, "--tls-cert also needs --tls-key"),
        ({"tls-key": "k"}, "--tls-key also needs --tls-cert"),
        ({"tls-client-ca": "a"}, "--tls-client-ca also needs --tls-cert and --tls-key"),
        (
            {"max-calls": "9"},
            "--max-calls-per-client, by default, is 256, more than all clients together may have",
        ),
        ({"max-followers-per-client": "30000"}, "--max-followers, by default, is 20000"),
    ],
)
def test_options_that_contradict_each_other_are_reported(flags: dict[str, object], message: str) -> None:
    with pytest.raises(BadConfig) as raised:
        Configured.gather(flags, {})

    assert message in str(raised.value)


def test_help_lists_every_option_and_its_variable() -> None:
    output = subprocess.run([*SERVE, "--help"], capture_output=True, text=True, check=True).stdout

    flat = " ".join(output.split())
    assert [name for name in OPTIONS if f"--{name} " not in flat] == []
    assert [option.variable for option in OPTIONS.values() if option.variable not in flat] == []


def test_check_config_prints_every_value_with_its_source(tmp_path: Path) -> None:
    file = written(tmp_path, "max-calls = 5000")["config"]
    environment = {"SHIJI_OTLP_ENDPOINT": "http://me:password@collector:4317"}

    output = subprocess.run(
        [*SERVE, "--config", str(file), "--insecure", "--check-config"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    ).stdout

    lines = {line.split()[0]: line.split(maxsplit=2)[1:] for line in output.splitlines()}
    assert set(lines) == set(OPTIONS)
    assert lines["max-calls"] == ["5000", f"max-calls in {file}"]
    assert lines["insecure"] == ["true", "--insecure"]
    assert lines["otlp-endpoint"] == ["http://…@collector:4317", "SHIJI_OTLP_ENDPOINT in the environment"]
    assert lines["db"] == ["shiji.db", DEFAULT]


TLS = {"tls-cert": "c", "tls-key": "k"}


@pytest.mark.parametrize("listen", ["0.0.0.0:50051", "192.0.2.7:50051", "[::]:50051", "example.org:50051"])
@pytest.mark.parametrize("given", [{}, TLS, {"tokens": "t"}], ids=["nothing", "TLS alone", "tokens alone"])
def test_a_server_that_others_can_reach_needs_tls_and_known_callers(
    listen: str, given: dict[str, object]
) -> None:
    with pytest.raises(BadConfig) as raised:
        Configured.gather({"listen": listen, **given}, {})

    assert str(raised.value) == (
        f"--listen is {listen}, which other machines can reach: give --tls-cert, --tls-key and either "
        "--tokens (`shiji token new` makes the file) or --tls-client-ca; or --insecure to do without"
    )


@pytest.mark.parametrize(
    "given",
    [{**TLS, "tokens": "t"}, {**TLS, "tls-client-ca": "a"}, {"insecure": True}],
    ids=["TLS and tokens", "certificates of callers", "on purpose"],
)
def test_a_server_with_both_may_be_reached_by_others(given: dict[str, object]) -> None:
    config = Configured.gather({"listen": "192.0.2.7:50051", **given}, {}).config

    assert not config.listen.is_loopback


@pytest.mark.parametrize("listen", ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1"])
def test_a_server_on_loopback_needs_neither(listen: str) -> None:
    assert Configured.gather({"listen": listen}, {}).config.listen.is_loopback


@pytest.mark.parametrize(
    ("listen", "flags", "message"),
    [
        ("127.0.0.1:0", [], "Anyone on this machine may do everything: no tokens are required (--tokens)."),
        ("0.0.0.0:0", ["--insecure"], "Anyone who can reach it may do everything: no tokens are required"),
        ("127.0.0.1:0", ["--tokens", "tokens"], "Callers need a token from tokens, or the token of a seat."),
    ],
)
def test_a_server_prints_at_its_start_who_may_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listen: str, flags: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    new_token(Path("tokens"), "admin", "admin")

    with serving(tmp_path / "shiji.db", *flags, listen=listen) as server:
        assert message in server.startup_lines[1]
