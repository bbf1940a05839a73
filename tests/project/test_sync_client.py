"""The blocking client is generated from the one for asyncio."""

import pytest

from tools.dev import sync_client


def test_the_blocking_client_is_what_the_one_for_asyncio_generates() -> None:
    assert sync_client.GENERATED.read_text() == sync_client.generated(), "run `make client`"


def test_a_generated_file_begins_by_saying_what_to_edit() -> None:
    assert "shiji/client/aio.py: edit that" in sync_client.generated().splitlines()[0]


def test_keywords_go_and_the_same_words_in_prose_stay() -> None:
    source = sync_client.SOURCE.read_text()
    coroutine = (
        'async def ask() -> int:\n    """We await an answer."""\n    return await get()  # or await more\n'
    )

    code = sync_client.blocking(source + coroutine)

    assert code.endswith(
        '\ndef ask() -> int:\n    """We await an answer."""\n    return get()  # or await more\n'
    )


def test_a_replacement_without_anything_to_replace_is_refused() -> None:
    source = sync_client.SOURCE.read_text().replace("for one task.", "for a task.")

    with pytest.raises(sync_client.UnusedReplacement, match=r"'for one task\.'"):
        sync_client.blocking(source)
