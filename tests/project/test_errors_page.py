"""docs/errors.md lists the reasons of the service."""

import re

from service.errors import Reason
from tools.dev.errors_page import PAGE, page

ROW = re.compile(r"^\| `([A-Z_]+)` \| (.+?) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)


def test_the_page_is_generated_from_the_reasons() -> None:
    assert PAGE.read_text() == page(), "run `make errors`"


def test_every_reason_is_listed_once_below_its_code_with_all_its_fields() -> None:
    rows = {
        name: (section[0], when, advice, tuple(re.findall(r"`(\w+)`", keys)))
        for section in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page(), re.DOTALL | re.MULTILINE)
        for name, when, advice, keys in ROW.findall(section[1])
    }

    assert rows == {
        reason.name: (reason.value.code.name, reason.value.when, reason.value.advice, reason.value.metadata)
        for reason in Reason
    }
    assert len(ROW.findall(page())) == len(Reason)
