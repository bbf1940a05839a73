"""The server's options, and where the value of each came from.

An option has one name everywhere: `--max-calls` as a flag, SHIJI_MAX_CALLS in the environment, max-calls in
the file. A flag takes precedence over the environment, the environment over the file, the file over the
default. Paths in the file are relative to its folder.
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

from records.ledger.cache import CACHED_MATCHES
from records.log.opening import BadArchiveAddress, is_postgres, is_sqlite, postgres_target, sqlite_path
from records.log.owners import owners_path
from rules.kernel.toml_text import shallow
from service.address import Address, BadAddress
from service.http.connections import MAX_CONNECTIONS, MAX_CONNECTIONS_PER_HOST

DEFAULT: Final = "default"
"""The source of a value that was not given."""

FILE_OPTION: Final = "config"
"""The option that names the file; it cannot be given in the file itself."""

DEFAULT_WEB: Final = Address("127.0.0.1", 8080)
"""Where the HTTP port is if nothing else was asked for: browsers reach it, and no other machine does."""

# What options take, by the word for it in help texts.
_FILE: Final = {"takes": "FILE"}
_ADDRESS: Final = {"takes": "HOST:PORT"}
_TAKES_SECONDS: Final = {"takes": "SECONDS"}

_URL_CREDENTIALS: Final = re.compile(r"(?<=://)[^/@]*@")
"""User and password in a URL, which --check-config does not print."""


class BadConfig(ValueError):
    """The configuration is not valid; the message names the option and where its value came from."""


class Config(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """The options of a server, each with its description in `shiji serve --help`."""

    db: Annotated[Path, Meta(description="The SQLite file with the records.", extra=_FILE)] = Path("shiji.db")
    log: Annotated[
        str,
        Meta(
            description="The archive: sqlite:FILE, as --db, or postgresql://… (docs/fleet.md).",
            extra={"takes": "URL"},
        ),
    ] = ""
    sequencer: Annotated[
        Literal["on", "off"],
        Meta(description="Whether a server of a PostgreSQL archive may number entries and sign checkpoints."),
    ] = "on"
    workers: Annotated[
        int, Meta(ge=1, le=64, description="Server processes on one port, for an archive in PostgreSQL.")
    ] = 1
    listen: Annotated[
        Address, Meta(description="Where to listen; port 0 means any free port.", extra=_ADDRESS)
    ] = Address("127.0.0.1", 50051)
    web: Annotated[
        Address | None,
        Meta(
            description="Where to serve pages and JSON over HTTP; by default 127.0.0.1:8080 if it is free.",
            extra=_ADDRESS,
        ),
    ] = None
    no_web: Annotated[bool, Meta(description="Serve nothing over HTTP, only gRPC.")] = False
    web_hosts: Annotated[
        str,
        Meta(
            description="Names by which browsers reach the HTTP port, as behind a proxy, with commas.",
            extra={"takes": "NAMES"},
        ),
    ] = ""
    secret_file: Annotated[
        Path | None,
        Meta(description="The server's secret; by default the --db file plus .secret.", extra=_FILE),
    ] = None
    log_key: Annotated[
        Path | None,
        Meta(description="The key that signs checkpoints of the log; none by default.", extra=_FILE),
    ] = None
    drain_grace: Annotated[
        float,
        Meta(ge=0, description="Time for calls in progress to finish after SIGTERM.", extra=_TAKES_SECONDS),
    ] = 5.0
    cache_matches: Annotated[
        int, Meta(ge=1, description="Maximum matches whose state is kept in memory.")
    ] = CACHED_MATCHES
    worker_processes: Annotated[
        int,
        Meta(
            ge=0, description="Processes for longer work: imports, exports, audits; 0: threads of the server."
        ),
    ] = 3

    tokens: Annotated[
        Path | None,
        Meta(
            description="Require a token from this file, made by `shiji token`; reloaded when it changes.",
            extra=_FILE,
        ),
    ] = None
    tls_cert: Annotated[
        Path | None,
        Meta(
            description="The server's certificate chain, its own first, in PEM; reloaded when it changes.",
            extra=_FILE,
        ),
    ] = None
    tls_key: Annotated[
        Path | None, Meta(description="The private key of the certificate, in PEM.", extra=_FILE)
    ] = None
    tls_client_ca: Annotated[
        Path | None,
        Meta(description="Require client certificates signed by one of these (mTLS), in PEM.", extra=_FILE),
    ] = None
    insecure: Annotated[
        bool,
        Meta(description="Allow other machines to connect without TLS or without authentication."),
    ] = False

    max_message_bytes: Annotated[
        int, Meta(ge=1024, description="Maximum size of a message.", extra={"takes": "BYTES"})
    ] = 4 * 1024 * 1024
    max_calls: Annotated[int, Meta(ge=1, description="Maximum calls in progress at once.")] = 1024
    max_calls_per_client: Annotated[
        int, Meta(ge=1, description="The same per client: per token, or per address without tokens.")
    ] = 256
    max_followers: Annotated[
        int, Meta(ge=1, description="Maximum followers at once; they do not count as calls in progress.")
    ] = 20_000
    max_followers_per_client: Annotated[int, Meta(ge=1, description="The same per client.")] = 10_000
    max_matches_per_owner: Annotated[
        int,
        Meta(ge=0, description="Maximum matches in the archive per owner of tokens; 0 means no limit."),
    ] = 0
    calls_per_second: Annotated[
        float, Meta(ge=0, description="Maximum average rate of calls per client; 0 means no limit.")
    ] = 0.0
    calls_burst: Annotated[
        int, Meta(ge=1, description="Calls that a client may make at once before that rate applies.")
    ] = 100
    max_calls_per_connection: Annotated[
        int,
        Meta(ge=1, description="Maximum calls and followers per connection; more wait in the client."),
    ] = 1000
    max_web_connections: Annotated[
        int, Meta(ge=1, description="Maximum connections to the HTTP port, and at most half of all files.")
    ] = MAX_CONNECTIONS
    max_web_connections_per_host: Annotated[
        int, Meta(ge=1, description="The same per host; behind a proxy, all come from one.")
    ] = MAX_CONNECTIONS_PER_HOST
    connection_idle: Annotated[
        float,
        Meta(
            ge=1,
            description="Time without calls after which a gRPC connection is closed.",
            extra=_TAKES_SECONDS,
        ),
    ] = 300.0
    follower_stall: Annotated[
        float,
        Meta(
            gt=0,
            description="Time for a client to take a response of a stream before the stream is ended.",
            extra=_TAKES_SECONDS,
        ),
    ] = 30.0
    keepalive: Annotated[
        float,
        Meta(
            ge=1,
            description="Time after which a silent connection is sent a keepalive ping.",
            extra=_TAKES_SECONDS,
        ),
    ] = 60.0
    keepalive_timeout: Annotated[
        float, Meta(ge=1, description="Time to answer the ping before it is closed.", extra=_TAKES_SECONDS)
    ] = 20.0
    keepalive_least: Annotated[
        float, Meta(ge=1, description="Minimum time between two pings from a client.", extra=_TAKES_SECONDS)
    ] = 10.0

    metrics_listen: Annotated[
        Address | None,
        Meta(description="Where to serve Prometheus metrics; nowhere by default.", extra=_ADDRESS),
    ] = None
    log_format: Annotated[Literal["text", "json"], Meta(description="Format of log lines.")] = "text"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="Minimum level of log lines.")
    ] = "info"
    otlp_endpoint: Annotated[
        str | None,
        Meta(description="Where to send OpenTelemetry traces; nowhere by default.", extra={"takes": "URL"}),
    ] = None

    @property
    def archive(self) -> str:
        """The address of the archive."""
        return self.log or str(self.db)

    @property
    def is_shared(self) -> bool:
        """Whether the archive is a database, which other servers may use at the same time."""
        return is_postgres(self.log)

    @property
    def file(self) -> Path:
        """The file of an archive that is not shared."""
        return sqlite_path(self.archive)

    @property
    def secret(self) -> Path:
        """The file with the server's secret."""
        return self.secret_file or self.file.with_name(f"{self.file.name}.secret")

    @property
    def owners(self) -> Path:
        """The file with the owners of matches."""
        return owners_path(self.file)

    @property
    def certifies(self) -> bool:
        """Whether callers must present a certificate."""
        return self.tls_client_ca is not None


@dataclass(frozen=True, slots=True)
class ConfigOption:
    """One option of the server."""

    name: str
    kind: object
    """The type of its value."""
    default: object
    takes: str
    """The word for its value in help texts; empty for a flag without a value."""
    help: str

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return f"SHIJI_{self.name.upper().replace('-', '_')}"

    @property
    def attribute(self) -> str:
        """Its name in Config."""
        return self.name.replace("-", "_")

    def read(self, given: object, source: str, *, text: bool, base: Path = Path()) -> object:
        """The value from a source, which with `text` has only strings; raises BadConfig."""
        try:
            if self.takes == _ADDRESS["takes"]:
                return Address.read(msgspec.convert(given, str))
            if self.takes == _FILE["takes"]:
                return base / msgspec.convert(given, str)
            value: object = msgspec.convert(given, self.kind, strict=not text)
        except (msgspec.ValidationError, BadAddress) as fault:
            raise BadConfig(f"{source} takes {self.takes or 'true or false'}: {fault}") from fault
        return value


def _options() -> Iterator[ConfigOption]:
    for field in msgspec.structs.fields(Config):
        kind, about = get_args(field.type)
        if get_origin(kind) is Literal:
            takes = "|".join(get_args(kind))
        else:
            takes = (about.extra or {}).get("takes", "" if kind is bool else "NUMBER")
        yield ConfigOption(field.encode_name, field.type, field.default, takes, about.description)


OPTIONS: Final = {option.name: option for option in _options()}


@dataclass(frozen=True, slots=True)
class Configured:
    """A configuration, and where each of its values came from."""

    config: Config
    sources: Mapping[str, str]
    """By option: "--db", "SHIJI_DB in the environment", "db in shiji.toml" or DEFAULT."""

    @classmethod
    def gather(cls, flags: Mapping[str, object], environment: Mapping[str, str]) -> Self:
        """The configuration from flags (None where not given), environment and file; raises BadConfig."""
        values, sources = dict[str, object](), dict[str, str]()
        file, table = _file(flags.get(FILE_OPTION) or environment.get(f"SHIJI_{FILE_OPTION.upper()}"))
        for option in OPTIONS.values():
            if (flag := flags.get(option.name)) is not None:
                source, given, text, base = f"--{option.name}", flag, True, Path()
            elif variable := environment.get(option.variable):
                source, given, text, base = f"{option.variable} in the environment", variable, True, Path()
            elif option.name in table:
                source, given, text, base = f"{option.name} in {file}", table[option.name], False, file.parent
            else:
                sources[option.name] = DEFAULT
                continue
            values[option.attribute] = option.read(given, source, text=text, base=base)
            sources[option.name] = source
        config = msgspec.structs.replace(Config(), **values)
        _require_consistent(config, sources)
        return cls(config, sources)

    def __str__(self) -> str:
        """One option per line, with its value and where that came from; contains no secrets."""
        texts = {name: _text(getattr(self.config, option.attribute)) for name, option in OPTIONS.items()}
        names, values = max(map(len, texts)), max(map(len, texts.values()))
        return "\n".join(
            f"{name:{names}}  {value:{values}}  {self.sources[name]}" for name, value in texts.items()
        )


def _file(name: object) -> tuple[Path, Mapping[str, object]]:
    if name is None:
        return Path(), {}
    path = Path(str(name))
    try:
        table = tomllib.loads(shallow(path.read_text("utf-8")))
    except OSError as fault:
        raise BadConfig(f"cannot read the configuration {path}: {fault.strerror}") from fault
    except (ValueError, RecursionError) as fault:  # a number may be too long, a list nested too deeply
        raise BadConfig(f"{path} is not valid TOML: {fault}") from fault
    for key in table:
        if key not in OPTIONS:
            near = difflib.get_close_matches(key, OPTIONS, 1)
            hint = f"did you mean {near[0]}?" if near else "`shiji serve --help` lists the options"
            raise BadConfig(f"{path} has {key!r}, which is not an option: {hint}")
    return path, table


def _require_consistent(config: Config, sources: Mapping[str, str]) -> None:
    """Raises BadConfig where options contradict each other, or one needs another."""

    def source(name: str) -> str:
        return f"--{name}, by default," if sources[name] == DEFAULT else sources[name]

    _require_archive(config, sources)
    if (config.tls_cert is None) != (config.tls_key is None):
        given, missing = ("tls-cert", "tls-key") if config.tls_key is None else ("tls-key", "tls-cert")
        raise BadConfig(f"{source(given)} also needs --{missing}")
    if config.tls_client_ca and not config.tls_cert:
        raise BadConfig(f"{source('tls-client-ca')} also needs --tls-cert and --tls-key")
    if config.web and config.no_web:
        raise BadConfig(f"{source('web')} and {source('no-web')} contradict each other: give one of them")
    authenticates = config.tokens or config.certifies
    for name, address in (("listen", config.listen), ("web", config.web or DEFAULT_WEB)):
        if not (address.is_loopback or config.insecure or (config.tls_cert and authenticates)):
            raise BadConfig(
                f"{source(name)} is {address}, which other machines can reach: give --tls-cert, "
                "--tls-key and either --tokens (`shiji token new` makes the file) or --tls-client-ca; "
                "or --insecure to do without"
            )
    for name, per_client, total in (
        ("max-calls", config.max_calls_per_client, config.max_calls),
        ("max-followers", config.max_followers_per_client, config.max_followers),
    ):
        if per_client > total:
            raise BadConfig(
                f"{source(f'{name}-per-client')} is {per_client}, more than all clients together may have: "
                f"{source(name)} is {total}"
            )


def _require_archive(config: Config, sources: Mapping[str, str]) -> None:
    """Raises BadConfig where the options do not name one archive that a server can use."""
    source = sources["log"]
    if config.log and sources["db"] != DEFAULT:
        raise BadConfig(f"{source} and {sources['db']} both name an archive: give one of them")
    if config.is_shared:
        try:
            postgres_target(config.log)
        except BadArchiveAddress as fault:
            raise BadConfig(f"{source}: {fault}") from fault
        if config.secret_file is None:
            raise BadConfig(f"{source} also needs --secret-file: all servers of the archive have the same")
        if config.log_key is not None and config.sequencer == "off":
            raise BadConfig(f"{sources['log-key']} also needs --sequencer on: who signs also numbers")
        return
    if config.log and not is_sqlite(config.log):
        raise BadConfig(f"{source} takes sqlite:FILE or postgresql://HOST/NAME")
    if config.workers > 1:
        raise BadConfig(
            f"{sources['workers']} is for archives in PostgreSQL: two processes on one SQLite file store "
            "about as much as one, and half as much where the disk is slow"
        )
    if config.sequencer == "off":
        raise BadConfig(
            f"{sources['sequencer']} is for archives in PostgreSQL: a file has one server, which numbers "
            "its entries"
        )


def _text(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return str(value).lower()
        case _:
            return _URL_CREDENTIALS.sub("…@", str(value))
