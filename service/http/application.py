"""Everything that the HTTP port serves, each request to the part that answers it."""

import logging
import secrets
from dataclasses import replace
from typing import Final

from service.errors import CallError, Reason
from service.http.connect import PREFIX, ConnectMethods
from service.http.events import EVENTS_PATH, EventStreams
from service.http.faults import AbortedCall, HttpRefusal
from service.http.own_hosts import OwnHosts
from service.http.pages.error_words import page_status
from service.http.pages.rendering import send_error_page, wants_page
from service.http.pages.site import Pages
from service.http.requests import HttpRequest, Receive, Scope, Send
from service.http.responses import send_error
from service.http.sending import BoundedSending
from service.observability.logs import log_event
from service.rpc import CallHandler


class HttpApplication:
    """An ASGI application."""

    def __init__(self, handler: CallHandler, hosts: OwnHosts, *, writes: bool = True) -> None:
        """Unless it `writes`, pages offer nothing that would: the archive is only read."""
        self._hosts: Final = hosts
        self._admission: Final = handler.admission
        self._stall_seconds: Final = handler.resources.stall_seconds
        self._methods: Final = ConnectMethods(handler, handler.resources.max_response_bytes)
        self._events: Final = EventStreams(handler)
        self._pages: Final = Pages(handler, writes=writes)
        self._writes: Final = writes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, whatever it is."""
        request = HttpRequest(scope, receive)
        sending = BoundedSending(request, send, self._admission, self._stall_seconds)
        try:
            await self._answer(request, sending)
        except Exception as fault:
            if isinstance(fault, CallError) and fault.reason is Reason.SLOW_CONSUMER:
                return  # its connection is closed
            call = secrets.token_hex(8)
            log_event(logging.ERROR, "failed", {"path": PREFIX, "call": call}, fault)
            if sending.began:
                raise
            message = f"an internal error; report its id, {call}, to the operator"
            error = CallError(Reason.INTERNAL, message, {"call_id": call})
            await send_error(sending, AbortedCall(error.status()).error)

    async def _answer(self, request: HttpRequest, send: Send) -> None:
        try:
            self._hosts.require_own(request)
            await self._route(request, send)
        except (HttpRefusal, AbortedCall) as refusal:
            if wants_page(request):
                await send_error_page(request, send, refusal.error, reads_only=not self._writes)
            else:
                await send_error(send, replace(refusal.error, status=page_status(refusal.error)))
        finally:
            request.forget()

    async def _route(self, request: HttpRequest, send: Send) -> None:
        if request.path.startswith(PREFIX):
            await self._methods(request, send)
        elif (found := EVENTS_PATH.fullmatch(request.path)) is not None:
            await self._events(request, send, found["match"])
        else:
            await self._pages(request, send)
