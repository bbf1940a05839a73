"""Lets go of what an exception refers to, so that a call that has failed leaves the memory at once."""

import traceback
from collections.abc import Iterator


def forget_traceback(ended: BaseException) -> None:
    """Forget where the exception that ended a call came through, and those that it was raised for."""
    for each in _causes(ended):
        each.__traceback__ = None


def forget_frames(fault: BaseException) -> None:
    """Empty the functions that an exception came through, one of which often leads to the exception again.

    They have the request, or a page of a stream, which would stay in memory until garbage is collected: by
    the number of objects, no matter how large they are, and then those of all callers that have left at once.
    """
    for each in _causes(fault):
        traceback.clear_frames(each.__traceback__)


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    """An exception and those that it was raised for."""
    seen = set[int]()  # an exception that is raised again leads back to what it caused
    while fault is not None and id(fault) not in seen:
        seen.add(id(fault))
        yield fault
        fault = fault.__cause__ or fault.__context__
