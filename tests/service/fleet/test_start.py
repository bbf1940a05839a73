"""What a server needs to start on an archive in PostgreSQL, and what it refuses."""

import secrets
import subprocess
from pathlib import Path

import psycopg
import pytest

from records.log.postgres.connection import Target
from service.config import BadConfig, Configured
from tests.postgres import as_role, shared_cluster
from tests.service.servers import SERVE, not_serving


class TestStart:
    def test_without_a_secret_none_is_made(self, target: Target, tmp_path: Path) -> None:
        outcome = not_serving(target.url, "--secret-file", tmp_path / "none")

        assert outcome.returncode == 2
        assert "none of them creates it" in outcome.stderr
        assert not (tmp_path / "none").exists()

    @pytest.mark.usefixtures("fleet")
    def test_another_secret_is_refused(self, target: Target, tmp_path: Path) -> None:
        other = tmp_path / "other"
        other.write_text(secrets.token_hex(32))

        outcome = not_serving(target.url, "--secret-file", other)

        assert outcome.returncode == 2
        assert "is not that of the other servers" in outcome.stderr

    def test_a_server_that_does_not_number_does_not_found_a_fleet(self, secret: Path) -> None:
        outcome = not_serving(
            shared_cluster().target_of("front").url, "--secret-file", secret, "--sequencer", "off"
        )

        assert outcome.returncode == 2
        assert "first start a server that numbers entries" in outcome.stderr

    def test_no_server_migrates(self, secret: Path) -> None:
        cluster = shared_cluster()
        cluster.execute("CREATE DATABASE never_migrated")

        outcome = not_serving(cluster.address("never_migrated"), "--secret-file", secret)

        assert outcome.returncode == 2
        assert "run `shiji migrate` first" in outcome.stderr

    def test_a_schema_of_another_build_is_refused(self, secret: Path) -> None:
        target = shared_cluster().target_of("server")
        with psycopg.connect(as_role(target, "owner").url, autocommit=True) as owner:
            owner.execute("INSERT INTO shiji.migration (number, name) VALUES (99, 'from the future')")

        outcome = not_serving(target.url, "--secret-file", secret)

        assert outcome.returncode == 2
        assert "use a newer one" in outcome.stderr

    def test_a_role_without_the_right_to_number_is_refused_with_what_to_do(self, secret: Path) -> None:
        outcome = not_serving(shared_cluster().target_of("front").url, "--secret-file", secret)

        assert outcome.returncode == 2
        assert "GRANT shiji_sequencer TO front" in outcome.stderr


class TestOptions:
    @staticmethod
    def gathered(**flags: str) -> Configured:
        return Configured.gather({name.replace("_", "-"): value for name, value in flags.items()}, {})

    def test_a_file_may_be_given_as_an_address(self) -> None:
        config = self.gathered(log="sqlite:games.db").config

        assert config.file == Path("games.db")
        assert config.secret == Path("games.db.secret")
        assert not config.is_shared

    @pytest.mark.parametrize(
        ("flags", "why"),
        [
            ({"log": "postgresql://localhost/shiji"}, "needs --secret-file"),
            ({"log": "sqlite:a.db", "db": "b.db"}, "give one of them"),
            ({"log": "mysql://localhost/shiji"}, "takes sqlite:FILE or postgresql://"),
            ({"log": "sqlite:"}, "takes sqlite:FILE or postgresql://"),
            ({"log": "postgresql://db.example/shiji", "secret_file": "s"}, "sslmode=verify-full"),
            ({"log": "postgresql://localhost/shiji", "secret_file": "s", "db": "b.db"}, "give one of them"),
            ({"sequencer": "off"}, "for archives in PostgreSQL"),
            ({"log": "postgresql://localhost/", "secret_file": "s"}, "names no database"),
        ],
    )
    def test_options_that_do_not_name_one_archive_are_refused(self, flags: dict[str, str], why: str) -> None:
        with pytest.raises(BadConfig, match=why):
            self.gathered(**flags)

    @pytest.mark.parametrize(
        "address",
        [
            "postgresql://owner:hunter2@localhost/shiji",
            "postgresql://localhost/shiji?password=hunter2",
            "postgresql://owner:hunter2%zz@localhost/shiji",
        ],
    )
    def test_a_password_in_an_address_is_refused_and_not_repeated(self, address: str) -> None:
        outcome = subprocess.run(
            [*SERVE, "--log", address, "--secret-file", "s", "--check-config"],
            capture_output=True,
            text=True,
            check=False,
        )

        assert outcome.returncode == 2
        assert "hunter2" not in outcome.stdout + outcome.stderr
        assert "password" in outcome.stderr or "cannot be read" in outcome.stderr

    def test_who_signs_also_numbers(self) -> None:
        flags = {"log": "postgresql://localhost/x", "secret_file": "s", "log_key": "k", "sequencer": "off"}
        with pytest.raises(BadConfig, match="who signs also numbers"):
            self.gathered(**flags)
