"""How a server is configured: its options, and where the value of each came from.

An option has one name everywhere: `--max-calls` as a flag, SHIJI_MAX_CALLS in the environment, max-calls in
the file. A flag goes before the environment, the environment before the file, the file before the default.
Paths in the file start from the folder that it lies in.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args, get_origin

import msgspec
from msgspec import Meta

from records.ledger.ledger import CACHED
from service.address import Address, BadAddress

DEFAULT: Final = "default"
"""Where a value comes from that nobody gave."""

FILE_OPTION: Final = "config"
"""The option that names the file; the file itself cannot have it."""

_FILE: Final = {"takes": "FILE"}
_PLACE: Final = {"takes": "HOST:PORT"}
_SECONDS: Final = {"takes": "SECONDS"}
_CREDENTIALS: Final = re.compile(r"(?<=://)[^/@]*@")


class BadConfig(ValueError):
    """The server cannot be configured like this; the message names the option and its place."""


class Config(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """The options of a server, each with what `shiji serve --help` says of it."""

    db: Annotated[Path, Meta(description="The SQLite file with the records.", extra=_FILE)] = Path("shiji.db")
    listen: Annotated[
        Address, Meta(description="Where to listen; port 0 means any that is free.", extra=_PLACE)
    ] = Address("127.0.0.1", 50051)
    secret_file: Annotated[
        Path | None,
        Meta(description="The server's secret; by default it lies beside the records.", extra=_FILE),
    ] = None
    log_key: Annotated[
        Path | None,
        Meta(
            description="The key that checkpoints of the log are signed with; none by default.", extra=_FILE
        ),
    ] = None
    drain_grace: Annotated[
        float, Meta(ge=0, description="How long calls under way may finish after SIGTERM.", extra=_SECONDS)
    ] = 5.0
    cache_matches: Annotated[
        int, Meta(ge=1, description="Of how many matches it is kept in memory how they stand.")
    ] = CACHED
    import_processes: Annotated[
        int,
        Meta(ge=0, description="How many processes judge imported records; 0: the server does so itself."),
    ] = 2

    tokens: Annotated[
        Path | None,
        Meta(
            description="The tokens that callers must have, made by `shiji token`; read anew when changed.",
            extra=_FILE,
        ),
    ] = None
    tls_cert: Annotated[
        Path | None,
        Meta(
            description="The server's certificates, its own first, as PEM; read anew when renewed.",
            extra=_FILE,
        ),
    ] = None
    tls_key: Annotated[
        Path | None, Meta(description="The private key of the certificate, as PEM.", extra=_FILE)
    ] = None
    tls_client_ca: Annotated[
        Path | None,
        Meta(description="Ask callers for a certificate that one of these has signed (mTLS).", extra=_FILE),
    ] = None
    insecure: Annotated[
        bool,
        Meta(description="Listen beyond this machine even without TLS, or without asking who calls."),
    ] = False

    max_message_bytes: Annotated[
        int, Meta(ge=1024, description="How large a message may be.", extra={"takes": "BYTES"})
    ] = 4 * 1024 * 1024
    max_calls: Annotated[int, Meta(ge=1, description="How many calls may be under way at once.")] = 1024
    max_calls_per_client: Annotated[
        int, Meta(ge=1, description="The same for one client: one token, or one address without tokens.")
    ] = 256
    max_followers: Annotated[
        int, Meta(ge=1, description="How many may follow at once; they do not count as calls under way.")
    ] = 20_000
    max_followers_per_client: Annotated[int, Meta(ge=1, description="The same for one client.")] = 10_000
    calls_per_second: Annotated[
        float, Meta(ge=0, description="How often one client may call, in the long run; 0 for no such limit.")
    ] = 0.0
    calls_burst: Annotated[
        int, Meta(ge=1, description="How many calls it may make at one go before that counts.")
    ] = 100
    max_calls_per_connection: Annotated[
        int,
        Meta(ge=1, description="Calls and followers that one connection carries; more wait in the client."),
    ] = 1000
    follower_stall: Annotated[
        float,
        Meta(
            gt=0,
            description="How long a stream may leave an answer untaken before it is ended.",
            extra=_SECONDS,
        ),
    ] = 30.0
    keepalive: Annotated[
        float,
        Meta(
            ge=1, description="After how long a silent connection is asked whether it lives.", extra=_SECONDS
        ),
    ] = 60.0
    keepalive_timeout: Annotated[
        float, Meta(ge=1, description="How long it has to answer.", extra=_SECONDS)
    ] = 20.0
    keepalive_least: Annotated[
        float, Meta(ge=1, description="How often at most clients may ask the server so.", extra=_SECONDS)
    ] = 10.0

    metrics_listen: Annotated[
        Address | None,
        Meta(description="Where to serve Prometheus metrics; nowhere by default.", extra=_PLACE),
    ] = None
    log_format: Annotated[Literal["text", "json"], Meta(description="How log lines are written.")] = "text"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="What is worth a log line.")
    ] = "info"
    otlp_endpoint: Annotated[
        str | None,
        Meta(description="Where to send OpenTelemetry traces; nowhere by default.", extra={"takes": "URL"}),
    ] = None

    @property
    def secret(self) -> Path:
        """Where the server's secret lies."""
        return self.secret_file or self.db.with_name(f"{self.db.name}.secret")

    @property
    def certifies(self) -> bool:
        """Whether callers must have a certificate."""
        return self.tls_client_ca is not None


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the server."""

    name: str
    kind: object
    """The type of its value."""
    default: object
    takes: str
    """What help texts say that it takes; nothing for a flag that is there or not."""
    help: str

    @property
    def variable(self) -> str:
        """What it is called in the environment."""
        return f"SHIJI_{self.name.upper().replace('-', '_')}"

    @property
    def attribute(self) -> str:
        """What it is called in Config."""
        return self.name.replace("-", "_")

    def read(self, given: object, place: str, *, text: bool, base: Path = Path()) -> object:
        """The value that somebody gave, in text where only texts can be given; raises BadConfig."""
        try:
            if self.takes == _PLACE["takes"]:
                return Address.read(msgspec.convert(given, str))
            if self.takes == _FILE["takes"]:
                return base / msgspec.convert(given, str)
            value: object = msgspec.convert(given, self.kind, strict=not text)
        except (msgspec.ValidationError, BadAddress) as fault:
            raise BadConfig(f"{place} takes {self.takes or 'true or false'}: {fault}") from fault
        return value


def _options() -> Iterator[Option]:
    for field in msgspec.structs.fields(Config):
        kind, about = get_args(field.type)
        if get_origin(kind) is Literal:
            takes = "|".join(get_args(kind))
        else:
            takes = (about.extra or {}).get("takes", "" if kind is bool else "NUMBER")
        yield Option(field.encode_name, field.type, field.default, takes, about.description)


OPTIONS: Final = {option.name: option for option in _options()}


@dataclass(frozen=True, slots=True)
class Configured:
    """A configuration, and where each value of it came from."""

    config: Config
    places: Mapping[str, str]
    """By option: "--db", "SHIJI_DB in the environment", "db in shiji.toml" or DEFAULT."""

    @classmethod
    def gather(cls, flags: Mapping[str, object], environment: Mapping[str, str]) -> Self:
        """What flags (None where not given), environment and file say together; raises BadConfig."""
        values, places = dict[str, object](), dict[str, str]()
        file, table = _file(flags.get(FILE_OPTION) or environment.get(f"SHIJI_{FILE_OPTION.upper()}"))
        for option in OPTIONS.values():
            if (flag := flags.get(option.name)) is not None:
                place, given, text, base = f"--{option.name}", flag, True, Path()
            elif variable := environment.get(option.variable):
                place, given, text, base = f"{option.variable} in the environment", variable, True, Path()
            elif option.name in table:
                place, given, text, base = f"{option.name} in {file}", table[option.name], False, file.parent
            else:
                places[option.name] = DEFAULT
                continue
            values[option.attribute] = option.read(given, place, text=text, base=base)
            places[option.name] = place
        config = msgspec.structs.replace(Config(), **values)
        _refuse_unfitting(config, places)
        return cls(config, places)

    def __str__(self) -> str:
        """An option a line, with where its value came from; nothing secret is among them."""
        shown = {name: _shown(getattr(self.config, option.attribute)) for name, option in OPTIONS.items()}
        names, values = max(map(len, shown)), max(map(len, shown.values()))
        return "\n".join(
            f"{name:{names}}  {value:{values}}  {self.places[name]}" for name, value in shown.items()
        )


def _file(named: object) -> tuple[Path, Mapping[str, object]]:
    if named is None:
        return Path(), {}
    path = Path(str(named))
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as fault:
        raise BadConfig(f"cannot read the configuration {path}: {fault.strerror}") from fault
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise BadConfig(f"{path} is no TOML: {fault}") from fault
    for key in table:
        if key not in OPTIONS:
            near = difflib.get_close_matches(key, OPTIONS, 1)
            hint = f"did you mean {near[0]}?" if near else "`shiji serve --help` lists the options"
            raise BadConfig(f"{path} has {key!r}, which is no option: {hint}")
    return path, table


def _refuse_unfitting(config: Config, places: Mapping[str, str]) -> None:
    """Options must go together."""

    def place(name: str) -> str:
        return f"--{name}, by default," if places[name] == DEFAULT else places[name]

    if (config.tls_cert is None) != (config.tls_key is None):
        given, missing = ("tls-cert", "tls-key") if config.tls_key is None else ("tls-key", "tls-cert")
        raise BadConfig(f"{place(given)} needs --{missing} beside it")
    if config.tls_client_ca and not config.tls_cert:
        raise BadConfig(f"{place('tls-client-ca')} needs --tls-cert and --tls-key beside it")
    asks = config.tokens or config.certifies
    if not (config.listen.is_loopback or config.insecure or (config.tls_cert and asks)):
        raise BadConfig(
            f"{place('listen')} is {config.listen}, which others can reach: give --tls-cert, --tls-key "
            "and --tokens (`shiji token new` makes the file) or --tls-client-ca; --insecure goes without"
        )
    for name, one, all_ in (
        ("max-calls", config.max_calls_per_client, config.max_calls),
        ("max-followers", config.max_followers_per_client, config.max_followers),
    ):
        if one > all_:
            raise BadConfig(
                f"{place(f'{name}-per-client')} is {one}, more than all clients together may have: "
                f"{place(name)} is {all_}"
            )


def _shown(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return str(value).lower()
        case _:
            return _CREDENTIALS.sub("…@", str(value))
