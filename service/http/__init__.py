"""The HTTP port: every method as JSON, the event stream of a match, and the pages.

It runs in the server's event loop, and calls the same functions as gRPC, behind the same admission. May
import the rest of the service; only `service.server` and `service.page_server` start it. Start at
application.py, then connect.py for methods and events.py for streams.
"""
